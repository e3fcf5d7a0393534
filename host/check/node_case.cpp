#include "check/node_case.hpp"

#include <fmt/format.h>

#include "check/number_format.hpp"

namespace sluice::check {
namespace {

std::string describe(const registry::CheckCase& check, std::size_t number, bool trains) {
    std::string text;
    for (const sluice_tensor_spec& spec : check.inputs) {
        text += (text.empty() ? "" : ", ") + to_string(spec);
    }
    const char* separator = "; ";
    for (const auto& [key, value] : check.options.entries()) {
        text += fmt::format("{}{} = {}", separator, key, to_toml(value));
        separator = ", ";
    }
    return fmt::format("case {} ({}), {}", number, text, trains ? "train" : "evaluate");
}

}  // namespace

NodeCase::NodeCase(const registry::Component& type, const registry::CheckCase& check, std::size_t number, bool trains)
    : type_(type.manifest->provides),
      name_(describe(check, number, trains)),
      trains_(trains),
      options_(check.options),
      inputs_(check.inputs) {
    const registry::Layer layer(type, options_, name_);
    traits_ = layer.traits();
    single_ = infer(layer, kFloat32);
    double_ = infer(layer, kFloat64);
}

NodeSpecs NodeCase::infer(const registry::Layer& layer, sluice_dtype activations) {
    NodeSpecs specs;
    specs.inputs = inputs_;
    for (sluice_tensor_spec& spec : specs.inputs) {
        spec.dtype = spec.dtype == kFloat32 ? activations : spec.dtype;
    }
    registry::LayerShape shape = layer.infer(specs.inputs, name_);
    specs.outputs = std::move(shape.outputs);
    for (const registry::ParameterInfo& parameter : shape.parameters) {
        specs.parameters.push_back(parameter.spec);
    }
    for (const registry::StateInfo& state : shape.states) {
        specs.states.push_back(state.spec);
    }
    states_ = std::move(shape.states);
    return specs;
}

bool NodeCase::is_left_out() const { return !trains_ && (traits_.flags & SLUICE_LAYER_IDENTITY_IN_EVAL) != 0; }

const NodeSpecs& NodeCase::specs(sluice_dtype activations) const { return activations == kFloat64 ? double_ : single_; }

bool NodeCase::has_backward() const {
    const bool has_gradient = (traits_.flags & SLUICE_LAYER_NO_GRADIENT) == 0 && traits_.role != SLUICE_ROLE_METRIC;
    return trains_ && has_gradient && (differentiable_inputs() != 0 || !single_.parameters.empty());
}

std::uint64_t NodeCase::differentiable_inputs() const {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        bits |= std::uint64_t{is_float(inputs_[i].dtype)} << i;
    }
    return bits;
}

NodeView::NodeView(const NodeCase& node, sluice_dtype activations, const Wanted& wanted) : options_(node.options()) {
    const NodeSpecs& specs = node.specs(activations);
    node_.struct_size = sizeof(node_);
    node_.type = {node.type().data(), node.type().size()};
    node_.path = node_.type;
    node_.options = options_.root();
    node_.inputs = specs.inputs.data();
    node_.outputs = specs.outputs.data();
    node_.parameters = specs.parameters.data();
    node_.states = specs.states.data();
    node_.input_count = static_cast<std::uint32_t>(specs.inputs.size());
    node_.output_count = static_cast<std::uint32_t>(specs.outputs.size());
    node_.parameter_count = static_cast<std::uint32_t>(specs.parameters.size());
    node_.state_count = static_cast<std::uint32_t>(specs.states.size());
    node_.wanted_gradients = wanted.inputs;
    node_.accumulated_gradients = wanted.accumulate ? wanted.inputs : 0;
    node_.chained_input = -1;
    node_.flags = SLUICE_NODE_DETERMINISTIC | (node.trains() ? std::uint32_t{SLUICE_NODE_TRAIN} : 0U);
    node_.compute = activations;
    node_.accumulate = activations;
}

}  // namespace sluice::check
