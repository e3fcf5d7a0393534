#include "types/activations/softmax.hpp"

#include "types/checks.hpp"

namespace sluice::reference {

sluice_layer_traits Softmax::traits() const { return make_traits({.colour = SLUICE_COLOUR_DENY}); }

void Softmax::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("softmax", inputs, 1, 1);
    expect_features("softmax", inputs, 0);
    sink.output(inputs[0]);
}

}  // namespace sluice::reference
