// Providers of kernels: the checks of numbers, on all layer types, and what is asked of a provider beside them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "base/error.hpp"
#include "check/cases/bench.hpp"
#include "check/cases/cases.hpp"
#include "check/check_kernels.hpp"
#include "check/compare.hpp"
#include "check/kernel_run.hpp"
#include "check/providers.hpp"

namespace sluice::check {
namespace {

// A provider and some layers that it claims, each of another type.
class Claimed {
public:
    explicit Claimed(Trial& trial) : providers_(trial.registry()), provider_(providers_.get(trial.manifest())) {
        if (!provider_.kernels) {
            if (provider_.without == Result::skipped) {
                throw NotShown(provider_.reason);
            }
            throw Broken(provider_.reason);
        }
        constexpr std::size_t kMost = 5;
        for (const registry::ComponentManifest* layer : trial.registry().list(registry::Kind::layer)) {
            if (nodes_.size() < kMost) {
                add(trial, *layer);
            }
        }
        if (nodes_.empty()) {
            throw NotShown("it claims no layer that is installed, on the cases of their manifests");
        }
    }
    [[nodiscard]] const Provider& provider() const { return provider_; }
    [[nodiscard]] const std::vector<NodeCase>& nodes() const { return nodes_; }
    // Those that are long enough to be cut into pieces, for threads.
    [[nodiscard]] const std::vector<NodeCase>& large() const { return large_; }
    static Wanted wanted(const NodeCase& node) {
        return {.inputs = node.has_backward() ? node.differentiable_inputs() : 0};
    }

    // All that a step of it gives.
    [[nodiscard]] KernelResults run(const NodeCase& node) const {
        return run(node, *provider_.bench, provider_.bench->measures());
    }
    [[nodiscard]] KernelResults run(const NodeCase& node, const Workbench& bench, bool measures) const {
        const NodeView view(node, kFloat32, wanted(node));
        registry::Choices choices({}, measures);
        std::string refusal;
        const auto kernel = provider_.kernels->plan(view.chain(), node.name(), {bench.threads(), &choices}, refusal);
        expect(kernel.has_value(), "it claims a layer and declines to plan it: " + refusal);
        return KernelRun(bench, *kernel, node, kFloat32, wanted(node)).step(make_values(node), {});
    }

private:
    void add(Trial& trial, const registry::ComponentManifest& layer) {
        const registry::Component type = trial.registry().find(registry::Kind::layer, layer.provides, {});
        for (std::size_t i = 0; i < layer.checks.size(); ++i) {
            const NodeCase node(trial.registry(), type, layer.checks[i], i + 1, true);
            if (claims(node)) {
                nodes_.push_back(node);
                add_large(trial, type, layer.checks[i], i + 1);
                return;
            }
        }
    }
    // The same with many more samples, where the layer takes them.
    void add_large(Trial& trial, const registry::Component& type, registry::CheckCase check, std::size_t number) {
        constexpr std::int64_t kMany = 70001;  // elements: some pieces, of unequal length
        std::int64_t largest = 1;
        for (const sluice_tensor_spec& spec : check.inputs) {
            largest = std::max(largest, element_count(spec));
        }
        for (sluice_tensor_spec& spec : check.inputs) {
            spec.shape[0] *= spec.rank > 0 ? kMany / largest + 1 : 1;
        }
        try {
            const NodeCase node(trial.registry(), type, check, number, true);
            if (claims(node)) {
                large_.push_back(node);
            }
        } catch (const Error&) {
            // it needs this batch
        }
    }
    [[nodiscard]] bool claims(const NodeCase& node) const {
        return !provider_.kernels->refuses(NodeView(node, kFloat32, wanted(node)).chain());
    }

    Providers providers_;
    const Provider& provider_;
    std::vector<NodeCase> nodes_, large_;
};

class KernelExercise final : public Exercise {
public:
    explicit KernelExercise(Trial& trial) : claimed_(trial) {}
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
    Claimed claimed_;
};

// Each layer type in a process of its own.
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
    constexpr std::size_t kTold = 3;
    const std::size_t all = wrong.size();
    wrong.resize(std::min(all, kTold));
    expect(wrong.empty(), fmt::format("{} of {} checks fail: {}", all, all + passed, fmt::join(wrong, "; ")));
    if (passed == 0 && trial.warnings().empty()) {
        throw NotShown("there is nothing that it computes, on the cases of the layers that are installed; " + why_not);
    }
    trial.note(fmt::format("{} checks, {} skipped", passed, skipped));
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
    const Claimed claimed(trial);
    for (const NodeCase& node : claimed.nodes()) {
        trial.doing(node.type() + ", " + node.name());
        expect(have_same_bits(claimed.run(node), claimed.run(node)),
               fmt::format("{}, {}: a second kernel of the same plan gives other bits", node.type(), node.name()));
    }
}

// Where `found` is not `right`, but for what another order of summation does.
std::optional<std::string> far_apart(const NodeSpecs& specs, const KernelResults& found, const KernelResults& right) {
    constexpr double kSums = 1e-3;
    std::optional<std::string> text;
    const auto compare = [&](const char* what, std::vector<Numbers> KernelResults::*tensors,
                             const std::vector<sluice_tensor_spec>& all) {
        for (std::size_t i = 0; i < (found.*tensors).size() && !text; ++i) {
            text = difference(fmt::format("{} {}", what, i), all[i], (found.*tensors)[i], (right.*tensors)[i], kSums);
        }
    };
    compare("output", &KernelResults::outputs, specs.outputs);
    compare("gradient of input", &KernelResults::input_gradients, specs.inputs);
    compare("gradient of parameter", &KernelResults::parameter_gradients, specs.parameters);
    return text;
}

// The pieces of parallel_for depend on the number of threads, and sums over pieces with them: bits are the same for the
// same number alone.
void computes_in_pieces(Trial& trial) {
    const Claimed claimed(trial);
    if (claimed.provider().bench->threads() == nullptr) {
        throw NotShown("its device has no threads");
    }
    if (claimed.large().empty()) {
        throw NotShown("it claims no layer that takes more samples than the cases of its manifest");
    }
    for (const NodeCase& node : claimed.large()) {
        std::optional<KernelResults> alone;
        for (const int count : {1, 2, 3}) {
            const std::string what = fmt::format("{}, {}, by {} threads", node.type(), node.name(), count);
            trial.doing(what);
            const Workbench bench(claimed.provider().bench->device(), count);
            const KernelResults results = claimed.run(node, bench, false);
            expect(have_same_bits(results, claimed.run(node, bench, false)), what + ": other bits the second time");
            alone = alone ? std::move(alone) : results;
            const auto apart = far_apart(node.specs(kFloat32), results, *alone);
            expect(!apart,
                   fmt::format("{}, {}: what one thread computes is taken for right", what, apart.value_or("")));
        }
    }
}

// Asks supports() of the first node, after `change`.
template <class Change>
Answer ask_changed(Trial& trial, void* self, const Claimed& claimed, const Change& change) {
    const NodeCase& node = claimed.nodes().front();
    const NodeView view(node, kFloat32, Claimed::wanted(node));
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
    const Claimed claimed(trial);
    void* self = nullptr;
    const Answer created = trial.create(trial.options(), self);
    expect(created.status == SLUICE_OK, created.message);
    const auto decline = [&](const std::string& what, const auto& change) {
        trial.doing("supports() of " + what);
        const Answer answer = ask_changed(trial, self, claimed, change);
        trial.expect_reason(answer, "supports() of " + what);
        expect(answer.status == SLUICE_UNSUPPORTED,
               fmt::format("supports() of {} ends with status {}; SLUICE_UNSUPPORTED is right", what, answer.status));
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

Answer create(Trial& trial, const sluice_value* options, void** self) {
    const auto bench = open_bench(trial);
    return ask(trial.table<sluice_kernel>().create, trial.component().host, options, bench->device()->info().ref, self);
}

std::unique_ptr<Exercise> make_exercise(Trial& trial) { return std::make_unique<KernelExercise>(trial); }

constexpr Case kCases[] = {
    {"kernel.numbers",
     "Every layer type that it claims is computed right, forward and gradients, in every type, within its memory.",
     computes_right, false, 30},
    {"kernel.again", "Two kernels of the same plan give the same bits.", gives_the_same_bits_again},
    {"kernel.threads",
     "One, two and three threads compute the same of many samples, each number of them the same bits.",
     computes_in_pieces, false, 10},
    {"kernel.unknown", "supports() declines a layer type, a flag or an element type that it does not know.",
     declines_what_it_does_not_know},
};

}  // namespace

const KindCases& kernel_cases() {
    static constexpr KindCases kKernel{make_exercise, create, destroy_plain<sluice_kernel>, kCases};
    return kKernel;
}

}  // namespace sluice::check
