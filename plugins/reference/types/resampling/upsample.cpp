#include "types/resampling/upsample.hpp"

#include "types/checks.hpp"

namespace sluice::reference {

sluice_layer_traits Upsample::traits() const {
    return make_traits({.colour = copies_ ? SLUICE_COLOUR_CLEAR : SLUICE_COLOUR_INFER});
}

void Upsample::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("upsample", inputs, 1, 1);
    expect_image("upsample", inputs, 0);
    sluice_tensor_spec output = inputs[0];
    output.shape[1] *= factor_;
    output.shape[2] *= factor_;
    sink.output(output);
}

}  // namespace sluice::reference
