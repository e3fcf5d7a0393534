#include "types/activations/activations.hpp"

#include "types/checks.hpp"

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

sluice_layer_traits Tanh::traits() const { return make_traits({.colour = SLUICE_COLOUR_INFER}); }
void Tanh::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    infer_activation("tanh", inputs, sink);
}

sluice_layer_traits LeakyRelu::traits() const { return make_traits({.colour = SLUICE_COLOUR_INFER}); }
void LeakyRelu::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    infer_activation("leaky_relu", inputs, sink);
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
