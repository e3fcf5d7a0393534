#include "types/activations/activations.hpp"

#include "types/checks.hpp"
#include "types/parameters.hpp"

namespace sluice::reference {
namespace {

void infer_activation(std::string_view layer, Specs inputs, const sdk::LayerSink& sink) {
    expect_count(layer, inputs, 1, 1);
    expect_activation(layer, inputs, 0);
    sink.output(inputs[0]);
}

}  // namespace

sluice_layer_traits Relu::traits() const { return make_traits({.colour = SLUICE_COLOUR_CLEAR}); }
void Relu::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    infer_activation("relu", inputs, sink);
}

sluice_layer_traits Relu6::traits() const { return make_traits({.colour = SLUICE_COLOUR_CLEAR}); }
void Relu6::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    infer_activation("relu6", inputs, sink);
}

sluice_layer_traits Tanh::traits() const { return make_traits({.colour = SLUICE_COLOUR_INFER}); }
void Tanh::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    infer_activation("tanh", inputs, sink);
}

sluice_layer_traits LeakyRelu::traits() const { return make_traits({.colour = SLUICE_COLOUR_INFER}); }
void LeakyRelu::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    infer_activation("leaky_relu", inputs, sink);
}

sluice_layer_traits Prelu::traits() const { return make_traits({.colour = SLUICE_COLOUR_INFER}); }
void Prelu::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("prelu", inputs, 1, 1);
    expect_features("prelu", inputs, 0);
    const std::int64_t channels = inputs[0].shape[inputs[0].rank - 1];
    add_constant(sink, "slope", sdk::make_spec(sdk::kFloat32, {shares_ ? 1 : channels}), initial_);
    sink.output(inputs[0]);
}

sluice_layer_traits Gelu::traits() const { return make_traits({.colour = SLUICE_COLOUR_INFER}); }
void Gelu::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    infer_activation("gelu", inputs, sink);
}

sluice_layer_traits Silu::traits() const { return make_traits({.colour = SLUICE_COLOUR_INFER}); }
void Silu::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    infer_activation("silu", inputs, sink);
}

sluice_layer_traits Sigmoid::traits() const { return make_traits({.colour = SLUICE_COLOUR_INFER}); }
void Sigmoid::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    infer_activation("sigmoid", inputs, sink);
}

}  // namespace sluice::reference
