#include "plan/graph.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/text/nearest.hpp"

namespace sluice::plan {
namespace {

// The state while one list of layers is added. `named`: outputs that later layers of the list may refer to.
struct Scope {
    std::string prefix;  // "residual/2/"
    TensorId input = 0;
    TensorId previous = 0;
    std::map<std::string, TensorId> named;
    std::string policy;  // precision policy of all its layers; empty: their paths decide
};

class Builder {
public:
    Builder(const config::PipelineSpec& spec, const Toolbox& tools, std::span<const registry::Field> fields, Mode mode)
        : spec_(spec), tools_(tools), fields_(fields) {
        graph_.mode = mode;
    }

    Graph build() && {
        graph_.prediction = graph_.mode == Mode::judge ? feed(kPrediction) : add_model(feed(spec_.model.input));
        if (graph_.mode == Mode::predict || graph_.mode == Mode::forward) {
            graph_.tensors[graph_.prediction].kept = true;
            if (graph_.mode == Mode::predict) {
                expect_picture();
                add_image("output", graph_.prediction);
            }
            return std::move(graph_);
        }
        const TensorId target = feed(spec_.model.target);
        add_loss(target);
        if (graph_.mode != Mode::train) {
            add_metrics(target);
        }
        return std::move(graph_);
    }

private:
    TensorId add_tensor(const sluice_tensor_spec& spec) {
        graph_.tensors.push_back({.spec = spec, .consumers = {}, .wants_gradient = false, .kept = false});
        return graph_.tensors.size() - 1;
    }

    // Returns the field as the network sees it: images become float32 in the model's range.
    TensorId feed(const std::string& name) {
        const auto field = std::ranges::find(fields_, name, &registry::Field::name);
        if (field == fields_.end()) {
            throw Error(Exit::config, fmt::format("the data has no field '{}', which [model] names", name));
        }
        for (const Feed& known : graph_.feeds) {
            if (known.field == name) {
                return fed_[name];
            }
        }
        const TensorId raw = add_tensor(field->spec);
        graph_.feeds.push_back({name, raw});
        if (field->role != SLUICE_FIELD_IMAGE) {
            return fed_[name] = raw;
        }
        const bool is_normalised = name == spec_.model.input && !spec_.model.image_mean.empty();
        return fed_[name] =
                   is_normalised ? add_normalised(name, raw) : add_range_node("image_to_tensor", "feed/" + name, raw);
    }

    TensorId add_normalised(const std::string& name, TensorId raw) {
        config::ComponentSpec layer = range_layer("image_to_tensor");
        layer.options.set("mean", numbers_of(spec_.model.image_mean));
        layer.options.set("std", numbers_of(spec_.model.image_std));
        return add_node(layer.use, "feed/" + name, layer, {raw});
    }

    static Value numbers_of(const std::vector<double>& numbers) {
        Array values;
        for (const double number : numbers) {
            values.push_back({number, {}});
        }
        return {std::move(values), {}};
    }

    TensorId add_range_node(const std::string& type, const std::string& path, TensorId input) {
        return add_node(type, path, range_layer(type), {input});
    }

    [[nodiscard]] config::ComponentSpec range_layer(const std::string& type) const {
        config::ComponentSpec layer{.use = type, .origin = {}, .options = {}};
        layer.options.set("low", {spec_.model.low, {}});
        layer.options.set("high", {spec_.model.high, {}});
        return layer;
    }

    // The input as a picture in the model's range, without mean and std.
    TensorId feed_picture(const std::string& name) {
        const TensorId fed = feed(name);
        if (spec_.model.image_mean.empty()) {
            return fed;
        }
        const auto raw = std::ranges::find(graph_.feeds, name, &Feed::field);
        return add_range_node("image_to_tensor", "feed/" + name + "_picture", raw->tensor);
    }

    // Returns the tensor of the prediction.
    TensorId add_model(TensorId input) {
        Scope scope{.prefix = "", .input = input, .previous = input, .named = {}, .policy = ""};
        add_list(spec_.model.layers, scope);
        expect_rules_were_of_use();
        return scope.previous;
    }

    void add_list(std::span<const config::LayerSpec> layers, Scope& scope) {
        for (const config::LayerSpec& layer : layers) {
            const std::vector<TensorId> inputs = resolve(layer, scope);
            if (layer.is_left_out) {
                scope.previous = inputs.front();
            } else {
                const std::string path = scope.prefix + layer.path;
                const std::string& policy = layer.precision.empty() ? scope.policy : layer.precision;
                scope.previous = layer.block.empty() ? add_layer(layer, path, inputs, policy)
                                                     : add_block(layer, path + "/", inputs, policy);
            }
            if (!layer.name.empty()) {
                scope.named[layer.name] = scope.previous;
            }
        }
    }

    TensorId add_layer(const config::LayerSpec& layer, const std::string& path, const std::vector<TensorId>& inputs,
                       const std::string& policy) {
        if (!paths_.insert(path).second) {
            throw Error(Exit::config, fmt::format("{}: another layer has the path '{}', too; give one of them a name",
                                                  to_string(layer.origin), path));
        }
        const TensorId output = add_node(layer.type, path, {layer.type, layer.origin, layer.options}, inputs);
        graph_.nodes.back().policy = policy_of(path, policy);
        return output;
    }

    TensorId add_block(const config::LayerSpec& layer, const std::string& prefix, const std::vector<TensorId>& inputs,
                       const std::string& policy) {
        Scope inner{
            .prefix = prefix, .input = inputs.front(), .previous = inputs.front(), .named = {}, .policy = policy};
        add_list(layer.layers, inner);
        return inner.previous;
    }

    // `name`: the policy of the layer or its block. If it is empty, the first pattern that matches the path decides,
    // else the pipeline's policy.
    std::size_t policy_of(const std::string& path, std::string name) {
        for (const config::PrecisionRule& rule : spec_.precision_rules) {
            if (fnmatch(rule.pattern.c_str(), path.c_str(), 0) == 0) {
                fitting_rules_.insert(rule.pattern);
                name = name.empty() ? rule.use : name;
            }
        }
        const auto found = std::ranges::find(tools_.policies, name, &Policy::name);
        return name.empty() ? 0 : static_cast<std::size_t>(found - tools_.policies.begin());
    }

    void expect_rules_were_of_use() const {
        for (const config::PrecisionRule& rule : spec_.precision_rules) {
            if (!fitting_rules_.contains(rule.pattern)) {
                throw Error(Exit::config,
                            fmt::format("{}: precision.layers: no layer's path matches '{}'{}", to_string(rule.origin),
                                        rule.pattern, what_would_fit(rule.pattern)));
            }
        }
    }

    // The input pictures have nodes too, but rules apply only to the model's own layers.
    [[nodiscard]] std::string what_would_fit(const std::string& pattern) const {
        const std::string root = pattern.substr(0, pattern.find('/'));
        if (root == "loss" || root == "feed" || root == "metrics" || root == "images") {
            return "; the loss, the inputs and the metrics are always float32";
        }
        std::vector<std::string> paths;
        for (const Node& node : graph_.nodes) {
            if (!node.path.starts_with("feed/")) {
                paths.push_back(node.path);
            }
        }
        return suggestion(pattern, paths);
    }

    static std::vector<TensorId> resolve(const config::LayerSpec& layer, const Scope& scope) {
        if (layer.inputs.empty()) {
            return {scope.previous};
        }
        std::vector<TensorId> ids;
        for (const std::string& name : layer.inputs) {
            ids.push_back(name == "previous" ? scope.previous : name == "input" ? scope.input : scope.named.at(name));
        }
        return ids;
    }

    // Adds the node and returns its output.
    TensorId add_node(const std::string& type, const std::string& path, const config::ComponentSpec& written,
                      const std::vector<TensorId>& inputs) {
        const registry::Component component = tools_.registry->find(registry::Kind::layer, type, written.origin);
        Node node{.type = type,
                  .path = path,
                  .origin = written.origin,
                  .options = {},
                  .layer = nullptr,
                  .inputs = inputs,
                  .outputs = {},
                  .parameters = {},
                  .states = {}};
        node.options = tools_.registry->options(component, written);
        const std::string where = fmt::format("{}: layer '{}'", to_string(written.origin), path);
        node.layer = std::make_shared<registry::Layer>(component, node.options, where);
        std::vector<sluice_tensor_spec> specs;
        for (const TensorId id : inputs) {
            specs.push_back(graph_.tensors[id].spec);
        }
        place(node, node.layer->infer(specs, where));
        graph_.nodes.push_back(std::move(node));
        return graph_.nodes.back().outputs.front();
    }

    void place(Node& node, registry::LayerShape shape) {
        node.flops = shape.flops;
        for (const TensorId id : node.inputs) {
            graph_.tensors[id].consumers.push_back(graph_.nodes.size());
        }
        for (const sluice_tensor_spec& spec : shape.outputs) {
            node.outputs.push_back(add_tensor(spec));
        }
        for (registry::ParameterInfo& parameter : shape.parameters) {
            parameter.name = node.path + "/" + parameter.name;
            node.parameters.push_back(graph_.parameters.size());
            graph_.parameters.push_back(std::move(parameter));
        }
        for (registry::StateInfo& state : shape.states) {
            state.name = node.path + "/" + state.name;
            node.states.push_back(graph_.states.size());
            graph_.states.push_back(std::move(state));
        }
    }

    // If the target is a picture, metrics get pictures clamped to 0..1, whatever the model's range is. Metrics of the
    // input are the baseline. Otherwise metrics get the raw prediction and target, and no pictures are shown.
    void add_metrics(TensorId target) {
        if (!is_image(spec_.model.target)) {
            for (const config::ComponentSpec& metric : spec_.metrics) {
                add_metric(metric, metric.use, {graph_.prediction, target});
            }
            return;
        }
        const TensorId shown = add_image("output", graph_.prediction);
        const TensorId wanted = add_image("target", target);
        for (const config::ComponentSpec& metric : spec_.metrics) {
            add_metric(metric, metric.use, {shown, wanted});
        }
        if (!is_image(spec_.model.input)) {
            return;
        }
        const TensorId given = add_image("input", feed_picture(spec_.model.input));
        if (graph_.tensors[given].spec == graph_.tensors[wanted].spec) {
            for (const config::ComponentSpec& metric : spec_.metrics) {
                add_metric(metric, "input_" + metric.use, {given, wanted});
                graph_.metrics.back().of_input = true;
            }
        }
    }

    // Class scores are not a picture, even if there are as many classes as colour channels.
    void expect_picture() {
        const sluice_tensor_spec& spec = graph_.tensors[graph_.prediction].spec;
        const std::int64_t channels = spec.rank == 4 ? spec.shape[3] : 0;
        const registry::Component component =
            tools_.registry->find(registry::Kind::layer, spec_.loss.use, spec_.loss.origin);
        const registry::Layer loss(component, tools_.registry->options(component, spec_.loss), "loss");
        const bool scores = loss.traits().label_inputs != 0 && loss.traits().label_classes == 0 && channels > 1;
        if (scores || (channels != 1 && channels != 3)) {
            throw Error(Exit::config,
                        fmt::format("the model gives {}{}, which is no picture; `predict` writes pictures with 1 or 3 "
                                    "channels",
                                    to_string(spec),
                                    scores ? fmt::format(" for the classification loss '{}'", spec_.loss.use) : ""));
        }
    }

    void add_loss(TensorId target) {
        graph_.loss = add_node(spec_.loss.use, "loss", spec_.loss, {graph_.prediction, target});
        if (graph_.nodes.back().layer->traits().role != SLUICE_ROLE_LOSS) {
            throw Error(Exit::config,
                        fmt::format("{}: '{}' is not a loss", to_string(spec_.loss.origin), spec_.loss.use));
        }
        graph_.tensors[graph_.loss].kept = true;
        note_labels(graph_.nodes.back(), "loss");
    }

    // Notes the range of class numbers that the node accepts in each field that it reads unchanged.
    void note_labels(const Node& node, const char* role) {
        std::vector<sluice_tensor_spec> specs;
        for (const TensorId id : node.inputs) {
            specs.push_back(graph_.tensors[id].spec);
        }
        for (std::size_t i = 0; i < specs.size(); ++i) {
            const auto fed = std::ranges::find(graph_.feeds, node.inputs[i], &Feed::tensor);
            const auto range = registry::label_range(node.layer->traits(), specs, i);
            if (range && fed != graph_.feeds.end()) {
                graph_.labels.push_back({fed->field, fmt::format("{} '{}'", role, node.type), *range});
            }
        }
    }

    // `wanted`: its name, which gets a number if an earlier metric has the same name.
    void add_metric(const config::ComponentSpec& metric, const std::string& wanted,
                    const std::vector<TensorId>& inputs) {
        const int times = ++metric_names_[wanted];
        const std::string name = times == 1 ? wanted : fmt::format("{}_{}", wanted, times);
        const TensorId sums = add_node(metric.use, "metrics/" + name, metric, inputs);
        if (graph_.nodes.back().layer->traits().role == SLUICE_ROLE_LAYER) {
            throw Error(Exit::config,
                        fmt::format("{}: '{}' is neither a metric nor a loss", to_string(metric.origin), metric.use));
        }
        graph_.tensors[sums].kept = true;
        note_labels(graph_.nodes.back(), "metric");
        graph_.metrics.push_back({.name = name, .tensor = sums, .layer = graph_.nodes.back().layer});
    }

    TensorId add_image(const std::string& name, TensorId tensor) {
        const TensorId image = add_range_node("tensor_to_image", "images/" + name, tensor);
        graph_.tensors[image].kept = true;
        graph_.images.push_back({name, image});
        return image;
    }

    [[nodiscard]] bool is_image(const std::string& name) const {
        const auto field = std::ranges::find(fields_, name, &registry::Field::name);
        return field != fields_.end() && field->role == SLUICE_FIELD_IMAGE;
    }

    const config::PipelineSpec& spec_;
    const Toolbox& tools_;
    std::span<const registry::Field> fields_;
    std::map<std::string, TensorId> fed_;
    std::set<std::string> paths_;              // that layers of the model have taken
    std::map<std::string, int> metric_names_;  // how often each was used
    std::set<std::string> fitting_rules_;
    Graph graph_;
};

}  // namespace

double MetricOutput::value(std::span<const double> sums) const {
    if (layer->traits().role == SLUICE_ROLE_METRIC) {
        return layer->finalize(sums);
    }
    return sums[1] > 0.0 ? sums[0] / sums[1] : std::numeric_limits<double>::quiet_NaN();
}

void index_consumers(Graph& graph) {
    for (Tensor& tensor : graph.tensors) {
        tensor.consumers.clear();
    }
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        for (const TensorId id : graph.nodes[n].inputs) {
            graph.tensors[id].consumers.push_back(n);
        }
    }
}

Graph build_graph(const config::PipelineSpec& spec, const Toolbox& tools, std::span<const registry::Field> fields,
                  Mode mode) {
    return Builder(spec, tools, fields, mode).build();
}

bool joins_replicas(const Node& node) { return (node.layer->traits().flags & SLUICE_LAYER_JOINS_REPLICAS) != 0; }

const Node* joins_replicas(const Graph& graph) {
    const auto joining = std::ranges::find_if(graph.nodes, [](const Node& node) { return joins_replicas(node); });
    return joining == graph.nodes.end() ? nullptr : &*joining;
}

}  // namespace sluice::plan
