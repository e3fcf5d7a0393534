// Providers of kernels: the checks of numbers, on all layer types, and what is asked of a provider beside them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "base/error.hpp"
#include "check/cases/bench.hpp"
#include "check/cases/cases.hpp"
#include "check/check_kernels.hpp"
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
    static Wanted wanted(const NodeCase& node) {
        return {.inputs = node.has_backward() ? node.differentiable_inputs() : 0};
    }

    // All that a step of it gives.
    [[nodiscard]] KernelResults run(const NodeCase& node) const {
        const NodeView view(node, kFloat32, wanted(node));
        registry::Choices choices({}, provider_.bench->measures());
        std::string refusal;
        const auto kernel =
            provider_.kernels->plan(view.chain(), node.name(), {provider_.bench->threads(), &choices}, refusal);
        expect(kernel.has_value(), "it claims a layer and declines to plan it: " + refusal);
        return KernelRun(*provider_.bench, *kernel, node, kFloat32, wanted(node)).step(make_values(node), {});
    }

private:
    void add(Trial& trial, const registry::ComponentManifest& layer) {
        const registry::Component type = trial.registry().find(registry::Kind::layer, layer.provides, {});
        for (std::size_t i = 0; i < layer.checks.size(); ++i) {
            const NodeCase node(trial.registry(), type, layer.checks[i], i + 1, true);
            if (!provider_.kernels->refuses(NodeView(node, kFloat32, wanted(node)).chain())) {
                nodes_.push_back(node);
                return;
            }
        }
    }

    Providers providers_;
    const Provider& provider_;
    std::vector<NodeCase> nodes_;
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
    for (const registry::ComponentManifest* layer : trial.registry().list(registry::Kind::layer)) {
        trial.doing("layer type " + layer->provides);
        if (layer->checks.empty()) {
            continue;
        }
        check_pair(trial.registry(), {layer, &trial.manifest()}, trial.limit(), [&](const Finding& finding) {
            passed += finding.result == Result::passed ? 1 : 0;
            skipped += finding.result == Result::skipped ? 1 : 0;
            if (is_fault(finding.result)) {
                wrong.push_back(fmt::format("{}, {}: {}", finding.component, finding.place, finding.reason));
            }
        });
    }
    constexpr std::size_t kTold = 3;
    const std::size_t all = wrong.size();
    wrong.resize(std::min(all, kTold));
    expect(wrong.empty(), fmt::format("{} of {} checks fail: {}", all, all + passed, fmt::join(wrong, "; ")));
    if (passed == 0) {
        throw NotShown(
            "it claims no layer that is installed, on the cases of their manifests, or its device is missing");
    }
    trial.note(fmt::format("{} checks, {} skipped", passed, skipped));
}

void gives_the_same_bits_again(Trial& trial) {
    const Claimed claimed(trial);
    for (const NodeCase& node : claimed.nodes()) {
        trial.doing(node.type() + ", " + node.name());
        const KernelResults first = claimed.run(node);
        const KernelResults second = claimed.run(node);
        const auto same = [](const Numbers& a, const Numbers& b) {
            return std::ranges::equal(a, b, {}, std::bit_cast<std::uint64_t, double>,
                                      std::bit_cast<std::uint64_t, double>);
        };
        expect(std::ranges::equal(first.outputs, second.outputs, same) &&
                   std::ranges::equal(first.input_gradients, second.input_gradients, same) &&
                   std::ranges::equal(first.parameter_gradients, second.parameter_gradients, same),
               fmt::format("{}, {}: a second kernel of the same plan gives other bits", node.type(), node.name()));
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
    {"kernel.unknown", "supports() declines a layer type, a flag or an element type that it does not know.",
     declines_what_it_does_not_know},
};

}  // namespace

const KindCases& kernel_cases() {
    static constexpr KindCases kKernel{make_exercise, create, destroy_plain<sluice_kernel>, kCases};
    return kKernel;
}

}  // namespace sluice::check
