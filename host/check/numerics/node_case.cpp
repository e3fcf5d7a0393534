#include "check/numerics/node_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/random.hpp"
#include "check/numerics/number_format.hpp"
#include "registry/objects/node.hpp"

namespace sluice::check {
namespace {

std::string describe(const Table& options) {
    std::string text;
    for (const auto& [key, value] : options.entries()) {
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key, to_toml(value));
    }
    return text;
}

std::string describe(const registry::CheckCase& check, std::size_t number, bool trains) {
    std::string text;
    for (const sluice_tensor_spec& spec : check.inputs) {
        text += (text.empty() ? "" : ", ") + to_string(spec);
    }
    if (const std::string options = describe(check.options); !options.empty()) {
        text += "; " + options;
    }
    const char* separator = "; then ";
    for (const registry::CheckLink& link : check.then) {
        const std::string options = describe(link.options);
        text += separator + link.type + (options.empty() ? "" : "(" + options + ")");
        separator = ", ";
    }
    return fmt::format("case {} ({}), {}", number, text, trains ? "train" : "evaluate");
}

NodeSpecs infer(const registry::Layer& layer, std::vector<sluice_tensor_spec> inputs, sluice_dtype activations,
                const std::string& where, std::vector<registry::StateInfo>& states) {
    NodeSpecs specs;
    specs.inputs = std::move(inputs);
    for (sluice_tensor_spec& spec : specs.inputs) {
        spec.dtype = spec.dtype == kFloat32 ? activations : spec.dtype;
    }
    registry::LayerShape shape = layer.infer(specs.inputs, where);
    specs.outputs = std::move(shape.outputs);
    for (const registry::ParameterInfo& parameter : shape.parameters) {
        specs.parameters.push_back(parameter.spec);
    }
    for (const registry::StateInfo& state : shape.states) {
        specs.states.push_back(state.spec);
    }
    states = std::move(shape.states);
    return specs;
}

NodeSpecs stored_as(sluice_dtype dtype, NodeSpecs specs) {
    for (std::vector<sluice_tensor_spec>* tensors : {&specs.inputs, &specs.outputs}) {
        for (sluice_tensor_spec& spec : *tensors) {
            spec.dtype = is_float(spec.dtype) ? dtype : spec.dtype;
        }
    }
    return specs;
}

std::size_t place_of(sluice_dtype activations) {
    const auto* const found =
        std::ranges::find_if(kActivations, [&](sluice_dtype known) { return known == activations; });
    return static_cast<std::size_t>(found - kActivations.begin());
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

// `place` is an index in kActivations.
NodeSpecs gather_specs(const std::vector<NodeCase::Link>& links, std::size_t place) {
    NodeSpecs all;
    for (const NodeCase::Link& link : links) {
        const NodeSpecs& specs = link.specs[place];
        for (std::size_t i = 0; i < specs.inputs.size(); ++i) {
            if (std::cmp_not_equal(i, link.chained_input)) {
                all.inputs.push_back(specs.inputs[i]);
            }
        }
        append(all.parameters, specs.parameters);
        append(all.states, specs.states);
    }
    all.outputs = links.back().specs[place].outputs;
    return all;
}

}  // namespace

NodeCase::NodeCase(const registry::Registry& registry, const registry::Component& type,
                   const registry::CheckCase& check, std::size_t number, bool trains)
    : name_(describe(check, number, trains)), trains_(trains), random_stream_(stable_hash(type.manifest->provides)) {
    std::vector<sluice_tensor_spec> rest = check.inputs;
    std::size_t for_later = 0;
    for (const registry::CheckLink& link : check.then) {
        for_later += link.input_count - 1;
    }
    if (for_later > rest.size()) {
        throw Error(Exit::plugin, name_ + ": the layers after the first need more inputs than the case lists");
    }
    const auto take = [&](std::size_t count) {
        std::vector<sluice_tensor_spec> taken(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(count));
        rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(count));
        return taken;
    };
    add(type, check.options, -1, take(rest.size() - for_later));
    for (const registry::CheckLink& link : check.then) {
        const registry::Component component = registry.find(registry::Kind::layer, link.type, link.origin);
        std::vector<sluice_tensor_spec> inputs = take(link.input_count - 1);
        inputs.insert(inputs.begin() + static_cast<std::ptrdiff_t>(link.chained_input),
                      links_.back().specs[place_of(kFloat32)].outputs.front());
        add(component, registry.options(component, {.use = link.type, .origin = link.origin, .options = link.options}),
            static_cast<std::int32_t>(link.chained_input), inputs);
    }
    gather();
}

NodeCase NodeCase::alone(std::size_t index) const {
    NodeCase node;
    node.name_ = fmt::format("{}, layer {}", name_, index + 1);
    node.trains_ = trains_;
    node.random_stream_ = random_stream_ + index;
    node.links_ = {links_[index]};
    node.links_.front().chained_input = -1;
    node.gather();
    return node;
}

NodeCase NodeCase::with_float32_output() const {
    NodeCase node = *this;
    node.name_ += ", output in float32";
    for (const sluice_dtype dtype : {kBfloat16, kFloat16}) {
        node.links_.back().specs[place_of(dtype)].outputs = specs(kFloat32).outputs;
        node.specs_[place_of(dtype)].outputs = specs(kFloat32).outputs;
    }
    return node;
}

void NodeCase::add(const registry::Component& type, Table options, std::int32_t chained_input,
                   const std::vector<sluice_tensor_spec>& inputs) {
    const registry::Layer layer(type, options, name_);
    Link link;
    link.type = type.manifest->provides;
    link.options = std::move(options);
    link.chained_input = chained_input;
    link.traits = layer.traits();
    for (const sluice_dtype dtype : {kFloat32, kFloat64}) {
        link.specs[place_of(dtype)] = infer(layer, inputs, dtype, name_, link.states);
    }
    // As in a plan, layers infer in float32, and types are changed afterwards.
    for (const sluice_dtype dtype : {kBfloat16, kFloat16}) {
        link.specs[place_of(dtype)] = stored_as(dtype, link.specs[place_of(kFloat32)]);
    }
    links_.push_back(std::move(link));
}

void NodeCase::gather() {
    for (std::size_t i = 0; i < specs_.size(); ++i) {
        specs_[i] = gather_specs(links_, i);
    }
    for (const Link& link : links_) {
        append(states_, link.states);
    }
}

bool NodeCase::is_omitted_in_evaluation() const {
    return !trains_ && std::ranges::any_of(links_, [](const Link& link) {
        return (link.traits.flags & SLUICE_LAYER_IDENTITY_IN_EVAL) != 0;
    });
}

const NodeSpecs& NodeCase::specs(sluice_dtype activations) const { return specs_[place_of(activations)]; }

bool NodeCase::has_backward() const {
    const bool has_gradient = std::ranges::all_of(links_, [](const Link& link) {
        return (link.traits.flags & SLUICE_LAYER_NO_GRADIENT) == 0 && link.traits.role != SLUICE_ROLE_METRIC;
    });
    return trains_ && has_gradient && (differentiable_inputs() != 0 || !specs(kFloat32).parameters.empty());
}

std::uint64_t NodeCase::differentiable_inputs() const {
    std::uint64_t bits = 0;
    const std::vector<sluice_tensor_spec>& inputs = specs(kFloat32).inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        bits |= std::uint64_t{is_float(inputs[i].dtype)} << i;
    }
    return bits;
}

// A chained input gets a gradient if an earlier layer of the chain needs one.
NodeView::NodeView(const NodeCase& node, sluice_dtype activations, const Wanted& wanted) {
    std::uint32_t outside = 0;  // inputs from outside the chain so far
    bool flows = false;
    for (const NodeCase::Link& link : node.links()) {
        add(link, link.specs[place_of(activations)]);
        sluice_node& view = nodes_.back();
        for (std::uint32_t i = 0; i < view.input_count; ++i) {
            const bool chained = static_cast<std::int32_t>(i) == view.chained_input;
            const bool wants = chained ? flows : (wanted.inputs >> outside & 1) != 0;
            view.wanted_gradients |= std::uint64_t{wants} << i;
            view.accumulated_gradients |= std::uint64_t{wants && wanted.accumulate && !chained} << i;
            outside += chained ? 0 : 1;
        }
        flows = node.has_backward() && (view.wanted_gradients != 0 || view.parameter_count > 0);
        view.flags = SLUICE_NODE_DETERMINISTIC | (node.trains() ? std::uint32_t{SLUICE_NODE_TRAIN} : 0U);
        view.compute = activations;
        view.accumulate = activations == kFloat64 ? kFloat64 : kFloat32;
    }
}

void NodeView::add(const NodeCase::Link& link, const NodeSpecs& specs) {
    nodes_.push_back(registry::make_node({.type = link.type,
                                          .path = link.type,
                                          .options = options_.emplace_back(link.options).root(),
                                          .inputs = specs.inputs,
                                          .outputs = specs.outputs,
                                          .parameters = specs.parameters,
                                          .states = specs.states}));
    nodes_.back().chained_input = link.chained_input;
}

}  // namespace sluice::check
