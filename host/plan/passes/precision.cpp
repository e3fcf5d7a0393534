// Pass: decides in which type each layer stores and computes. Policies choose the types, and autocast categories decide
// which layers get them. Layers without such a kernel stay in float32. Casts are inserted where types change.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text/counted.hpp"
#include "plan/passes/autocast.hpp"
#include "plan/passes/node_views.hpp"
#include "plan/passes/pass.hpp"

namespace sluice::plan {
namespace {

constexpr sluice_precision_choice in_float32(std::int32_t colour) {
    return {sizeof(sluice_precision_choice), kFloat32, kFloat32, kFloat32, colour};
}

bool is_low(const sluice_precision_choice& choice) { return !(choice.storage == kFloat32); }

// Asks the policies for the types of each node.
std::vector<sluice_precision_choice> ask_policies(const Graph& graph, const Toolbox& tools) {
    std::vector<sluice_precision_choice> choices;
    for (const Node& node : graph.nodes) {
        const registry::Precision& policy = *tools.policies[node.policy].precision;
        choices.push_back(policy.choose(node.type, node.path, node.layer->traits().colour));
    }
    return choices;
}

// A node that its policy leaves in float32 counts as deny.
std::vector<AutocastNode> autocast_nodes(const Graph& graph, const std::vector<sluice_precision_choice>& choices) {
    std::map<TensorId, std::size_t> makers;
    std::vector<AutocastNode> nodes;
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        AutocastNode& mine = nodes.emplace_back();
        mine.category = is_low(choices[n]) ? choices[n].colour : SLUICE_COLOUR_DENY;
        mine.path = graph.nodes[n].path;
        for (const TensorId id : graph.nodes[n].inputs) {
            if (const auto maker = makers.find(id); maker != makers.end()) {
                mine.reads.push_back(maker->second);
            }
        }
        for (const TensorId id : graph.nodes[n].outputs) {
            makers[id] = n;
        }
    }
    return nodes;
}

// The first provider that takes the node by itself, with inputs in its storage type and outputs in type `outputs`; the
// number of providers if none does. `refusals`: why those before it do not.
struct FirstProvider {
    std::size_t provider = 0;
    std::string refusals;
};

FirstProvider first_provider_of(const Graph& graph, const Node& node, const Toolbox& tools, sluice_dtype outputs) {
    NodeView view(graph, node, tools.deterministic);
    view.store_floats_as(node.precision.storage, outputs);
    FirstProvider first;
    for (; first.provider < tools.providers.size(); ++first.provider) {
        const registry::KernelProvider& provider = tools.providers[first.provider];
        const auto reason = provider.refuses({&view.get(), 1});
        if (!reason) {
            break;
        }
        first.refusals += fmt::format("{}{}: {}", first.refusals.empty() ? "" : "; ", provider.name(), *reason);
    }
    return first;
}

class Rewriter {
public:
    Rewriter(Graph& graph, const Toolbox& tools) : graph_(graph), tools_(tools) {}

    std::string run() {
        const std::vector<sluice_precision_choice> choices = ask_policies(graph_, tools_);
        assign(choices);
        if (std::ranges::none_of(choices, is_low)) {
            return "";
        }
        drop_what_no_kernel_has();
        keep_end_in_float32();
        store_types();
        const std::size_t layers = graph_.nodes.size();
        insert_casts();
        return summary(layers);
    }

private:
    void assign(const std::vector<sluice_precision_choice>& choices) {
        const std::vector<AutocastDecision> decisions = decide_autocast(autocast_nodes(graph_, choices));
        for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
            Node& node = graph_.nodes[n];
            const std::string& policy = tools_.policies[node.policy].name;
            node.precision = decisions[n].low ? choices[n] : in_float32(choices[n].colour);
            node.precision_reason =
                is_low(choices[n]) ? decisions[n].reason : fmt::format("policy '{}' keeps float32", policy);
        }
    }

    // Fewer bits are no gain if a slower provider has to take the layer, or if none does.
    void drop_what_no_kernel_has() {
        for (Node& node : graph_.nodes) {
            if (!is_low(node.precision)) {
                continue;
            }
            Node plain = node;
            plain.precision = in_float32(node.precision.colour);
            const FirstProvider low = first_provider_of(graph_, node, tools_, node.precision.storage);
            if (low.provider > first_provider_of(graph_, plain, tools_, kFloat32).provider) {
                node.precision_reason =
                    fmt::format("has no kernel in {}: {}", to_string(node.precision.storage), low.refusals);
                node.precision = plain.precision;
            }
        }
    }

    // The model's output is not rounded. Layers between the last allow layer and it would save nothing by 16 bits.
    void keep_end_in_float32() {
        std::vector<bool> ends(graph_.nodes.size(), false);
        for (std::size_t n = graph_.nodes.size(); n-- > 0;) {
            Node& node = graph_.nodes[n];
            ends[n] = node.precision.colour != SLUICE_COLOUR_ALLOW &&
                      std::ranges::all_of(node.outputs, [&](TensorId id) { return leads_to_output(id, ends); });
            if (ends[n] && is_low(node.precision)) {
                node.precision = in_float32(node.precision.colour);
                node.precision_reason = "makes the model's output";
            }
        }
    }

    [[nodiscard]] bool leads_to_output(TensorId id, const std::vector<bool>& ends) const {
        const std::vector<std::size_t>& readers = graph_.tensors[id].consumers;
        return id == graph_.prediction ||
               (!readers.empty() && std::ranges::all_of(readers, [&](std::size_t reader) { return ends[reader]; }));
    }

    void store_types() {
        for (const Node& node : graph_.nodes) {
            for (const TensorId id : node.outputs) {
                sluice_tensor_spec& spec = graph_.tensors[id].spec;
                if (is_float(spec.dtype) && (id != graph_.prediction || !stores_output(node))) {
                    spec.dtype = node.precision.storage;
                }
            }
        }
    }

    // The model's output is float32. If an allow layer makes it, that layer stores float32 itself if its kernel can.
    [[nodiscard]] bool stores_output(const Node& node) const {
        return node.precision.colour == SLUICE_COLOUR_ALLOW &&
               first_provider_of(graph_, node, tools_, kFloat32).provider <=
                   first_provider_of(graph_, node, tools_, node.precision.storage).provider;
    }

    void insert_casts() {
        std::vector<Node> nodes;
        for (Node& node : graph_.nodes) {
            for (TensorId& id : node.inputs) {
                id = cast_to(node.precision.storage, id, nodes);
            }
            nodes.push_back(std::move(node));
        }
        graph_.prediction = cast_to(kFloat32, graph_.prediction, nodes);
        graph_.nodes = std::move(nodes);
        index_consumers(graph_);
    }

    // Returns the tensor itself if it has the type, else a cast of it, which all its readers share.
    TensorId cast_to(sluice_dtype dtype, TensorId id, std::vector<Node>& nodes) {
        const sluice_tensor_spec from = graph_.tensors[id].spec;
        if (!is_float(from.dtype) || from.dtype == dtype) {
            return id;
        }
        const auto key = std::pair(id, to_string(dtype));
        if (const auto known = casts_.find(key); known != casts_.end()) {
            return known->second;
        }
        sluice_tensor_spec to = from;
        to.dtype = dtype;
        graph_.tensors.push_back({.spec = to, .consumers = {}, .wants_gradient = false, .kept = false});
        casts_[key] = graph_.tensors.size() - 1;
        nodes.push_back(make_cast(id, casts_[key], to_string(dtype), nodes));
        return casts_[key];
    }

    [[nodiscard]] Node make_cast(TensorId from, TensorId to, const std::string& dtype,
                                 const std::vector<Node>& before) const {
        const config::ComponentSpec written{.use = "cast", .origin = {}, .options = [&] {
                                                Table options;
                                                options.set("to", {dtype, {}});
                                                return options;
                                            }()};
        const registry::Component component = tools_.registry->find(registry::Kind::layer, "cast", {});
        Node node{.type = "cast",
                  .path = fmt::format("{}/to_{}", maker_of(from, before), dtype),
                  .origin = {},
                  .options = tools_.registry->options(component, written),
                  .layer = nullptr,
                  .inputs = {from},
                  .outputs = {to},
                  .parameters = {},
                  .states = {}};
        node.layer = std::make_shared<registry::Layer>(component, node.options, "cast");
        node.precision = in_float32(SLUICE_COLOUR_CLEAR);
        node.precision.storage = graph_.tensors[to].spec.dtype;
        node.precision_reason = "converts between types";
        return node;
    }

    [[nodiscard]] std::string maker_of(TensorId id, const std::vector<Node>& before) const {
        const auto maker = std::ranges::find_if(
            before, [&](const Node& node) { return std::ranges::find(node.outputs, id) != node.outputs.end(); });
        return maker != before.end() ? maker->path
                                     : "feed/" + std::ranges::find(graph_.feeds, id, &Feed::tensor)->field;
    }

    [[nodiscard]] std::string summary(std::size_t layers) const {
        std::map<std::string, std::size_t> counts;
        for (const Node& node : graph_.nodes) {
            if (is_low(node.precision) && node.type != "cast") {
                ++counts[to_string(node.precision.storage)];
            }
        }
        std::string text;
        for (const auto& [dtype, count] : counts) {
            text += fmt::format("{}{} in {}", text.empty() ? "" : ", ", count, dtype);
        }
        return fmt::format("{} of {}{}, {}", text.empty() ? "none" : text, counted(layers, "layer"),
                           text.empty() ? " in fewer bits" : "", counted(graph_.nodes.size() - layers, "cast"));
    }

    Graph& graph_;
    const Toolbox& tools_;
    std::map<std::pair<TensorId, std::string>, TensorId> casts_;
};

}  // namespace

std::string assign_precision(Plan& plan, const PassContext& context) {
    return Rewriter(plan.graph, context.tools).run();
}

}  // namespace sluice::plan
