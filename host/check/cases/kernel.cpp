// Cases for kernel providers: correct results for all layer types, and the other rules of the interface.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <functional>
#include <optional>

#include "base/text/counted.hpp"
#include "check/cases/bench.hpp"
#include "check/cases/claimed_layers.hpp"
#include "check/cases/expected_results.hpp"
#include "check/contract/cases.hpp"
#include "check/numerics/check_kernels.hpp"
#include "registry/objects/kernel.hpp"

namespace sluice::check {
namespace {

class KernelTestObject final : public TestObject {
public:
    explicit KernelTestObject(Trial& trial) : claimed_(trial) {}
    std::string use() override {
        std::string all;
        for (const NodeCase& node : claimed_.nodes()) {
            const KernelResults results = claimed_.run(node);
            expect(results.broken_rules.empty(),
                   node.name() + ": " + fmt::format("{}", fmt::join(results.broken_rules, "; ")));
            for (const auto* tensors : {&results.outputs, &results.input_gradients, &results.parameter_gradients}) {
                for (const Numbers& numbers : *tensors) {
                    all.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
                }
            }
        }
        return all;
    }

private:
    ClaimedLayers claimed_;
};

// Checks each layer type in a process of its own.
void computes_right(Trial& trial) {
    std::size_t passed = 0;
    std::size_t skipped = 0;
    std::vector<std::string> wrong;
    std::string why_not;
    for (const registry::ComponentManifest* layer : trial.registry().list(registry::Kind::layer)) {
        trial.doing("layer type " + layer->provides);
        if (layer->checks.empty()) {
            continue;
        }
        const std::size_t passed_before = passed;
        std::string unknown;
        check_pair(trial.registry(), {layer, &trial.manifest()}, trial.limit(), [&](const Finding& finding) {
            passed += finding.result == Result::passed ? 1 : 0;
            skipped += finding.result == Result::skipped ? 1 : 0;
            why_not = why_not.empty() ? finding.component + ": " + finding.reason : why_not;
            unknown = finding.result == Result::warned ? finding.component + ": " + finding.reason : unknown;
            if (is_fault(finding.result)) {
                wrong.push_back(fmt::format("{}, {}: {}", finding.component, finding.place, finding.reason));
            }
        });
        if (!unknown.empty() && passed == passed_before) {
            trial.warn(unknown);
        }
    }
    constexpr std::size_t kListed = 3;
    const std::size_t all = wrong.size();
    wrong.resize(std::min(all, kListed));
    expect(wrong.empty(), fmt::format("{} of {} {}: {}", all, counted(all + passed, "check"),
                                      all == 1 ? "fails" : "fail", fmt::join(wrong, "; ")));
    if (passed == 0 && trial.warnings().empty()) {
        throw CaseSkipped("the provider computes none of the installed layers on the cases of their manifests; " +
                          why_not);
    }
    trial.note(fmt::format("{}, {} skipped", counted(passed, "check"), skipped));
}

bool have_same_bits(const KernelResults& first, const KernelResults& second) {
    const auto same = [](const Numbers& a, const Numbers& b) {
        return std::ranges::equal(a, b, {}, std::bit_cast<std::uint64_t, double>, std::bit_cast<std::uint64_t, double>);
    };
    return std::ranges::equal(first.outputs, second.outputs, same) &&
           std::ranges::equal(first.input_gradients, second.input_gradients, same) &&
           std::ranges::equal(first.parameter_gradients, second.parameter_gradients, same);
}

void gives_the_same_bits_again(Trial& trial) {
    const ClaimedLayers claimed(trial);
    for (const NodeCase& node : claimed.nodes()) {
        trial.doing(node.type() + ", " + node.name());
        expect(have_same_bits(claimed.run(node), claimed.run(node)),
               fmt::format("{}, {}: a second kernel of the same plan gives other bits", node.type(), node.name()));
    }
}

// A kernel that runs in turns with others, and its results when it runs alone.
class InterleavedKernel {
public:
    InterleavedKernel(const ClaimedLayers& claimed, const NodeCase& node)
        : node_(node),
          values_(make_values(node)),
          view_(node, kFloat32, ClaimedLayers::wanted(node)),
          alone_(claimed.run(node, *claimed.provider().bench, false)),
          kernel_(claimed.plan(node, view_, *claimed.provider().bench, false)),
          run_(*claimed.provider().bench, kernel_, node, kFloat32, ClaimedLayers::wanted(node)) {}

    void forward() { results_ = run_.begin_step(values_); }
    void backward() { run_.end_step(values_, {}, results_); }
    void expect_as_alone() const {
        const std::string what = fmt::format("{}, {}, in turns with other kernels", node_.type(), node_.name());
        expect(results_.broken_rules.empty(), fmt::format("{}: {}", what, fmt::join(results_.broken_rules, "; ")));
        expect(have_same_bits(results_, alone_), what + ": other bits than alone");
    }

private:
    const NodeCase& node_;
    NodeValues values_;
    NodeView view_;
    KernelResults alone_;
    registry::Kernel kernel_;
    KernelRun run_;
    KernelResults results_;
};

// Runs all forwards, then all backwards in reverse order, as in a training step. Up to two cases of each layer type
// take part.
void computes_beside_others(Trial& trial) {
    const ClaimedLayers claimed(trial);
    std::deque<InterleavedKernel> turns;
    for (const auto* nodes : {&claimed.nodes(), &claimed.others()}) {
        for (const NodeCase& node : *nodes) {
            turns.emplace_back(claimed, node);
        }
    }
    if (turns.size() < 2) {
        throw CaseSkipped("the provider claims only one layer, on one case of the layer's manifest");
    }
    for (int step = 0; step < 2; ++step) {
        std::ranges::for_each(turns, &InterleavedKernel::forward);
        std::for_each(turns.rbegin(), turns.rend(), std::mem_fn(&InterleavedKernel::backward));
        std::ranges::for_each(turns, &InterleavedKernel::expect_as_alone);
    }
}

// The pieces of parallel_for depend on the number of threads, and so do sums over them. Only the same number of threads
// must give the same bits.
void computes_in_pieces(Trial& trial) {
    ClaimedLayers claimed(trial);
    if (claimed.provider().bench->threads() == nullptr) {
        throw CaseSkipped("the provider's device has no threads");
    }
    if (claimed.large().empty()) {
        throw CaseSkipped(
            "the provider claims no layer that accepts more samples than the cases of the layer's manifest");
    }
    for (const NodeCase& node : claimed.large()) {
        trial.doing(fmt::format("{}, {}: computing the expected values", node.type(), node.name()));
        std::optional<KernelResults> right = expected_results(claimed, node);
        const char* const whose = right ? "in float64" : "by one thread";
        for (const int count : {1, 2, 3}) {
            const std::string what = fmt::format("{}, {}, by {} threads", node.type(), node.name(), count);
            trial.doing(what);
            const Workbench bench(claimed.provider().bench->device(), count);
            const KernelResults results = claimed.run(node, bench, false);
            expect(have_same_bits(results, claimed.run(node, bench, false)), what + ": other bits the second time");
            right = right ? std::move(right) : results;
            const auto apart = first_difference(node.specs(kFloat32), results, *right, kSumOrderTolerance);
            expect(!apart,
                   fmt::format("{}, {}; the expected values were computed {}", what, apart.value_or(""), whose));
        }
    }
}

// Calls supports() for the first node, after `change` was applied to it.
template <class Change>
Answer ask_changed(Trial& trial, void* self, const ClaimedLayers& claimed, const Change& change) {
    const NodeCase& node = claimed.nodes().front();
    const NodeView view(node, kFloat32, ClaimedLayers::wanted(node));
    struct {
        sluice_node node;
        std::uint64_t more[8];
    } larger{view.chain().front(), {}};
    std::vector<sluice_tensor_spec> inputs(larger.node.inputs, larger.node.inputs + larger.node.input_count);
    larger.node.inputs = inputs.data();
    std::ranges::fill(larger.more, ~std::uint64_t{0});
    change(larger.node, inputs);
    const sluice_node* const chain = &larger.node;
    return ask(trial.table<sluice_kernel>().supports, self, &chain, std::uint32_t{1});
}

void declines_what_it_does_not_know(Trial& trial) {
    const ClaimedLayers claimed(trial);
    void* self = nullptr;
    const Answer created = trial.create(trial.options(), self);
    expect(created.status == SLUICE_OK, created.message);
    const auto decline = [&](const std::string& what, const auto& change) {
        trial.doing("supports() of " + what);
        const Answer answer = ask_changed(trial, self, claimed, change);
        trial.expect_reason(answer, "supports() of " + what);
        expect(answer.status == SLUICE_UNSUPPORTED,
               fmt::format("supports() of {} returns status {}; expected SLUICE_UNSUPPORTED", what, answer.status));
    };
    using Inputs = std::vector<sluice_tensor_spec>;
    decline("an unknown layer type", [](sluice_node& node, Inputs&) { node.type = SLUICE_TEXT("of_tomorrow"); });
    decline("an unknown flag", [](sluice_node& node, Inputs&) { node.flags |= std::uint32_t{1} << 31; });
    decline("an unknown element type of the operands", [](sluice_node& node, Inputs&) { node.compute = {77, 4, 1}; });
    decline("an unknown element type of an input", [](sluice_node&, Inputs& inputs) {
        inputs.front().dtype = {77, 4, 1};
    });
    const Answer larger = ask_changed(trial, self, claimed, [](sluice_node& node, Inputs&) {
        node.struct_size = sizeof(node) + 8 * sizeof(std::uint64_t);
    });
    expect(larger.status == SLUICE_OK, "supports() declines a larger sluice_node of a newer host: " + larger.message);
    trial.destroy(self);
}

Answer create_kernel(Trial& trial, const sluice_value* options, void** self) {
    const auto bench = open_bench(trial);
    return ask(trial.table<sluice_kernel>().create, trial.component().host, options, bench->device()->info().ref, self);
}

std::unique_ptr<TestObject> make_kernel_test_object(Trial& trial) { return std::make_unique<KernelTestObject>(trial); }

constexpr Case kKernelCases[] = {
    {.name = "kernel.numbers",
     .proves =
         "Every claimed layer type is computed correctly, forward and backward, in every type, within its memory.",
     .run = computes_right,
     .limit_factor = 30},
    {"kernel.again", "Two kernels of the same plan give the same bits.", gives_the_same_bits_again},
    {"kernel.beside", "Kernels of several plans run in turns, forward and backward, and give what each gives alone.",
     computes_beside_others},
    {.name = "kernel.threads",
     .proves =
         "Many samples are computed correctly by one, two and three threads; the same number gives the same bits.",
     .run = computes_in_pieces,
     .limit_factor = 10},
    {"kernel.unknown", "supports() declines unknown layer types, flags and element types.",
     declines_what_it_does_not_know},
};

}  // namespace

const KindCases& kernel_cases() {
    static const std::vector<Case> kAll = joined({kKernelCases, kernel_size_cases(), kernel_chain_cases()});
    static const KindCases kKernel{{make_kernel_test_object, create_kernel, destroy_plain<sluice_kernel>}, kAll};
    return kKernel;
}

}  // namespace sluice::check
