#include "types/stochastic_depth.hpp"

#include "types/checks.hpp"

namespace sluice::reference {

StochasticDepth::StochasticDepth(sdk::Host, const sdk::Options& options) {
    expect_rate("stochastic_depth", options.number("rate"));
}

sluice_layer_traits StochasticDepth::traits() const {
    return make_traits({.colour = SLUICE_COLOUR_INFER, .flags = SLUICE_LAYER_RANDOM | SLUICE_LAYER_IDENTITY_IN_EVAL});
}

void StochasticDepth::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("stochastic_depth", inputs, 1, 1);
    expect_activation("stochastic_depth", inputs, 0);
    sink.output(inputs[0]);
}

}  // namespace sluice::reference
