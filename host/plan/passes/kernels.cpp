// Pass: chooses kernels. The longest chain that a provider claims wins; for chains of equal length, the provider that
// the pipeline names first.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/text/counted.hpp"
#include "plan/passes/node_views.hpp"
#include "plan/passes/pass.hpp"

namespace sluice::plan {
namespace {

constexpr std::size_t kLongestChain = 8;

// A chain and the provider that takes it.
struct Choice {
    std::vector<std::size_t> nodes;
    const registry::KernelProvider* provider = nullptr;
    std::string refusals;  // why the providers asked before refuse the node
};

class Chooser {
public:
    Chooser(const Graph& graph, const Toolbox& tools, const sluice_threads* threads)
        : graph_(graph), tools_(tools), views_(graph, tools.deterministic) {
        plan_inputs_.choices = tools.choices.get();
        plan_inputs_.threads = tools.device->is_host_memory() ? threads : nullptr;
    }

    // A provider may still decline in plan(). Then all chains are chosen again, without that provider for that chain.
    std::vector<Step> choose() {
        for (;;) {
            if (auto steps = plan_all(choose_chains())) {
                return std::move(*steps);
            }
        }
    }

private:
    std::vector<Choice> choose_chains() {
        std::vector<bool> taken(graph_.nodes.size(), false);
        std::vector<Choice> choices;
        for (std::size_t first = 0; first < graph_.nodes.size(); ++first) {
            if (!taken[first]) {
                choices.push_back(choose_from(first, taken));
                for (const std::size_t node : choices.back().nodes) {
                    taken[node] = true;
                }
            }
        }
        // A chain runs at the position of its last node, when all its inputs exist.
        std::ranges::sort(choices, {}, [](const Choice& choice) { return choice.nodes.back(); });
        return choices;
    }

    std::optional<std::vector<Step>> plan_all(const std::vector<Choice>& choices) {
        std::vector<std::vector<std::size_t>> chains;
        for (const Choice& choice : choices) {
            chains.push_back(choice.nodes);
        }
        views_.mark_accumulation(chains);
        std::vector<Step> steps;
        for (const Choice& choice : choices) {
            const std::vector<sluice_node> chain = views_.chain(choice.nodes);
            std::string refusal;
            auto kernel = choice.provider->plan(
                chain, fmt::format("layer '{}'", graph_.nodes[choice.nodes.front()].path), plan_inputs_, refusal);
            // Measuring may take minutes, so an interrupted run keeps what it has measured.
            tools_.choices->save();
            if (!kernel) {
                declined_[{choice.nodes, choice.provider->name()}] = refusal;
                return std::nullopt;
            }
            steps.push_back(make_step(std::move(*kernel), chain, choice));
        }
        return steps;
    }

    [[nodiscard]] bool is_random(std::size_t node) const {
        return (graph_.nodes[node].layer->traits().flags & SLUICE_LAYER_RANDOM) != 0;
    }

    // The longest chain of free nodes from `first` of which each feeds only the next. At most one draws random numbers,
    // because a chain has one random stream.
    std::vector<std::size_t> longest_chain(std::size_t first, const std::vector<bool>& taken) const {
        std::vector<std::size_t> chain{first};
        bool random = is_random(first);
        while (chain.size() < kLongestChain) {
            const Node& last = graph_.nodes[chain.back()];
            const Tensor& out = graph_.tensors[last.outputs.front()];
            if (last.outputs.size() != 1 || out.kept || out.consumers.size() != 1 ||
                last.outputs.front() == graph_.prediction) {
                break;
            }
            const std::size_t next = out.consumers.front();
            if (taken[next] || (random && is_random(next))) {
                break;
            }
            random = random || is_random(next);
            chain.push_back(next);
        }
        return chain;
    }

    [[nodiscard]] std::optional<std::string> refusal_of(const registry::KernelProvider& provider,
                                                        std::span<const std::size_t> nodes) const {
        const auto known = declined_.find({{nodes.begin(), nodes.end()}, provider.name()});
        return known != declined_.end() ? known->second : provider.refuses(views_.chain(nodes));
    }

    Choice choose_from(std::size_t first, const std::vector<bool>& taken) const {
        const std::vector<std::size_t> longest = longest_chain(first, taken);
        std::string refusals;
        for (std::size_t length = longest.size(); length > 0; --length) {
            const std::span<const std::size_t> nodes(longest.data(), length);
            for (const registry::KernelProvider& provider : tools_.providers) {
                const auto refusal = refusal_of(provider, nodes);
                if (!refusal) {
                    return {{nodes.begin(), nodes.end()}, &provider, refusals};
                }
                if (length == 1) {
                    refusals += fmt::format("{}{}: {}", refusals.empty() ? "" : "; ", provider.name(), *refusal);
                }
            }
        }
        const Node& node = graph_.nodes[first];
        throw NoKernel(to_string(node.origin),
                       fmt::format("no kernel for layer '{}' ({}) on device '{}': {}", node.path, node.type,
                                   tools_.device->kind(), refusals.empty() ? "no provider" : refusals));
    }

    Step make_step(registry::Kernel kernel, std::span<const sluice_node> chain, const Choice& choice) const {
        const std::vector<std::size_t>& nodes = choice.nodes;
        Step step{.kernel = std::move(kernel),
                  .nodes = nodes,
                  .inputs = {},
                  .outputs = graph_.nodes[nodes.back()].outputs,
                  .parameters = {},
                  .states = {},
                  .input_gradients = {},
                  .saved = {},
                  .recomputed_saved = {},
                  .recomputed_states = {},
                  .refusals = choice.refusals};
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const Node& node = graph_.nodes[nodes[i]];
            step.has_backward = step.has_backward || node.has_backward;
            for (std::size_t k = 0; k < node.inputs.size(); ++k) {
                if (static_cast<std::int32_t>(k) != chain[i].chained_input) {
                    step.inputs.push_back(node.inputs[k]);
                    step.input_gradients.push_back((chain[i].wanted_gradients >> k & 1) != 0);
                }
            }
            step.parameters.insert(step.parameters.end(), node.parameters.begin(), node.parameters.end());
            step.states.insert(step.states.end(), node.states.begin(), node.states.end());
            // Kernels of a chain draw with random_stream + i: what a node draws must not depend on fusion.
            if (is_random(nodes[i])) {
                step.random_stream = stable_hash(node.path) - i;
            }
        }
        return step;
    }

    const Graph& graph_;
    const Toolbox& tools_;
    NodeViews views_;
    registry::PlanInputs plan_inputs_;
    std::map<std::pair<std::vector<std::size_t>, std::string>, std::string> declined_;  // chain, provider: why
};

}  // namespace

std::string choose_kernels(Plan& plan, const PassContext& context) {
    plan.steps = Chooser(plan.graph, context.tools, context.threads).choose();
    const std::size_t chains = static_cast<std::size_t>(
        std::ranges::count_if(plan.steps, [](const Step& step) { return step.nodes.size() > 1; }));
    const std::size_t wide = static_cast<std::size_t>(std::ranges::count_if(
        plan.steps, [](const Step& step) { return step.kernel.needs().computes_in.has_value(); }));
    return fmt::format("{} in {}, {} of them fuse several layers{}", counted(plan.graph.nodes.size(), "layer"),
                       counted(plan.steps.size(), "launch"), chains,
                       wide == 0
                           ? ""
                           : fmt::format("; {}, at least in part",
                                         wide == 1 ? "1 computes in more bits than it stores"
                                                   : fmt::format("{} compute in more bits than they store", wide)));
}

}  // namespace sluice::plan
