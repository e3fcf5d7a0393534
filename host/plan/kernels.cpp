// Pass: which kernel computes what. Chains first, the longest that a provider claims; of equal length the provider that
// the pipeline names first.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <numeric>

#include "base/error.hpp"
#include "base/random.hpp"
#include "plan/plan.hpp"

namespace sluice::plan {
namespace {

constexpr std::size_t kLongestChain = 8;

// The ABI's view of a graph's nodes; owns all that the structs point to.
class NodeViews {
public:
    NodeViews(const Graph& graph, const Toolbox& tools) : graph_(graph) {
        for (const Node& node : graph.nodes) {
            add(node, tools.deterministic);
        }
        mark_accumulation();
    }

    // The view of a chain; chained_input depends on it.
    std::vector<sluice_node> chain(std::span<const std::size_t> nodes) const {
        std::vector<sluice_node> out;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            sluice_node view = views_[nodes[i]];
            view.chained_input = i == 0 ? -1 : position(nodes[i], graph_.nodes[nodes[i - 1]].outputs.front());
            out.push_back(view);
        }
        return out;
    }

    [[nodiscard]] std::int32_t position(std::size_t node, TensorId tensor) const {
        const std::vector<TensorId>& inputs = graph_.nodes[node].inputs;
        return static_cast<std::int32_t>(std::ranges::find(inputs, tensor) - inputs.begin());
    }

private:
    struct Parts {
        explicit Parts(const Table& table) : options(table) {}
        registry::OptionTree options;
        std::vector<sluice_tensor_spec> inputs, outputs, parameters, states;
    };

    void add(const Node& node, bool deterministic) {
        Parts& parts = parts_.emplace_back(node.options);
        sluice_node view{};
        view.struct_size = sizeof(view);
        view.type = {node.type.data(), node.type.size()};
        view.path = {node.path.data(), node.path.size()};
        view.options = parts.options.root();
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const Tensor& tensor = graph_.tensors[node.inputs[i]];
            parts.inputs.push_back(tensor.spec);
            if (node.has_backward && tensor.wants_gradient) {
                view.wanted_gradients |= std::uint64_t{1} << i;
            }
        }
        for (const TensorId id : node.outputs) {
            parts.outputs.push_back(graph_.tensors[id].spec);
        }
        for (const std::size_t i : node.parameters) {
            parts.parameters.push_back(graph_.parameters[i].spec);
        }
        for (const std::size_t i : node.states) {
            parts.states.push_back(graph_.states[i].spec);
        }
        view.inputs = parts.inputs.data();
        view.outputs = parts.outputs.data();
        view.parameters = parts.parameters.data();
        view.states = parts.states.data();
        view.input_count = static_cast<std::uint32_t>(parts.inputs.size());
        view.output_count = static_cast<std::uint32_t>(parts.outputs.size());
        view.parameter_count = static_cast<std::uint32_t>(parts.parameters.size());
        view.state_count = static_cast<std::uint32_t>(parts.states.size());
        if (graph_.mode == Mode::train) {
            view.flags |= SLUICE_NODE_TRAIN;
        }
        if (deterministic) {
            view.flags |= SLUICE_NODE_DETERMINISTIC;
        }
        view.compute = node.precision.compute;
        view.accumulate = node.precision.accumulate;
        views_.push_back(view);
    }

    // Backward runs nodes from last to first: the first to reach a tensor writes its gradient, the others add.
    void mark_accumulation() {
        std::vector<bool> written(graph_.tensors.size(), false);
        for (std::size_t n = graph_.nodes.size(); n-- > 0;) {
            for (std::size_t i = 0; i < graph_.nodes[n].inputs.size(); ++i) {
                const TensorId id = graph_.nodes[n].inputs[i];
                if ((views_[n].wanted_gradients >> i & 1) != 0) {
                    views_[n].accumulated_gradients |= std::uint64_t{written[id]} << i;
                    written[id] = true;
                }
            }
        }
    }

    const Graph& graph_;
    std::deque<Parts> parts_;
    std::vector<sluice_node> views_;
};

class Chooser {
public:
    Chooser(const Graph& graph, const Toolbox& tools) : graph_(graph), tools_(tools), views_(graph, tools) {}

    std::vector<Step> choose() {
        std::vector<bool> taken(graph_.nodes.size(), false);
        std::vector<Step> steps;
        for (std::size_t first = 0; first < graph_.nodes.size(); ++first) {
            if (!taken[first]) {
                steps.push_back(choose_from(first));
                for (const std::size_t node : steps.back().nodes) {
                    taken[node] = true;
                }
            }
        }
        // A chain runs where its last node stands: all its inputs are there by then.
        std::vector<std::size_t> order(steps.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::sort(order, {}, [&](std::size_t s) { return steps[s].nodes.back(); });
        std::vector<Step> sorted;
        for (const std::size_t s : order) {
            sorted.push_back(std::move(steps[s]));
        }
        return sorted;
    }

private:
    // The longest run of nodes from `first` of which each feeds only the next.
    std::vector<std::size_t> longest_chain(std::size_t first) const {
        std::vector<std::size_t> chain{first};
        while (chain.size() < kLongestChain) {
            const Node& last = graph_.nodes[chain.back()];
            const Tensor& out = graph_.tensors[last.outputs.front()];
            if (last.outputs.size() != 1 || out.kept || out.consumers.size() != 1 ||
                last.outputs.front() == graph_.prediction) {
                break;
            }
            chain.push_back(out.consumers.front());
        }
        return chain;
    }

    Step choose_from(std::size_t first) {
        const std::vector<std::size_t> longest = longest_chain(first);
        std::string refusals;
        for (std::size_t length = longest.size(); length > 0; --length) {
            const std::span<const std::size_t> nodes(longest.data(), length);
            const std::vector<sluice_node> chain = views_.chain(nodes);
            for (const registry::KernelProvider& provider : tools_.providers) {
                const auto refusal = provider.refuses(chain);
                if (!refusal) {
                    return make_step(provider, chain, nodes, refusals);
                }
                if (length == 1) {
                    refusals += fmt::format("{}{}: {}", refusals.empty() ? "" : "; ", provider.name(), *refusal);
                }
            }
        }
        const Node& node = graph_.nodes[first];
        throw Error(Exit::config, fmt::format("{}: no kernel for layer '{}' ({}) on device '{}': {}",
                                              to_string(node.origin), node.path, node.type, tools_.device->kind(),
                                              refusals.empty() ? "no provider" : refusals));
    }

    Step make_step(const registry::KernelProvider& provider, std::span<const sluice_node> chain,
                   std::span<const std::size_t> nodes, const std::string& refusals) const {
        const Node& last = graph_.nodes[nodes.back()];
        Step step{.kernel = provider.plan(chain, fmt::format("layer '{}'", graph_.nodes[nodes.front()].path)),
                  .nodes = {nodes.begin(), nodes.end()},
                  .inputs = {},
                  .outputs = last.outputs,
                  .parameters = {},
                  .states = {},
                  .input_gradients = {},
                  .saved = {},
                  .refusals = refusals};
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
            if ((node.layer->traits().flags & SLUICE_LAYER_RANDOM) != 0) {
                step.random_stream = stable_hash(node.path) - i;
            }
        }
        return step;
    }

    const Graph& graph_;
    const Toolbox& tools_;
    NodeViews views_;
};

}  // namespace

std::vector<Step> choose_kernels(const Graph& graph, const Toolbox& tools) { return Chooser(graph, tools).choose(); }

}  // namespace sluice::plan
