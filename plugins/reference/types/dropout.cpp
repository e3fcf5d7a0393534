#include "types/dropout.hpp"

#include "types/checks.hpp"

namespace sluice::reference {

Dropout::Dropout(sdk::Host, const sdk::Options& options) { expect_rate("dropout", options.number("rate")); }

sluice_layer_traits Dropout::traits() const {
    return make_traits({.colour = SLUICE_COLOUR_INFER, .flags = SLUICE_LAYER_RANDOM | SLUICE_LAYER_IDENTITY_IN_EVAL});
}

void Dropout::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("dropout", inputs, 1, 1);
    expect_activation("dropout", inputs, 0);
    sink.output(inputs[0]);
}

}  // namespace sluice::reference
