#include "types/resampling/pixel_shuffle.hpp"

#include <string>

#include "types/checks.hpp"

namespace sluice::reference {

sluice_layer_traits PixelShuffle::traits() const { return make_traits({.colour = SLUICE_COLOUR_CLEAR}); }

void PixelShuffle::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("pixel_shuffle", inputs, 1, 1);
    expect_image("pixel_shuffle", inputs, 0);
    sluice_tensor_spec spec = inputs[0];
    const std::int64_t square = factor_ * factor_;
    if (spec.shape[3] % square != 0) {
        throw sdk::Failure(SLUICE_INVALID,
                           "pixel_shuffle: input 0 is " + sdk::describe(spec) +
                               "; its channels should be a multiple of factor^2 = " + std::to_string(square));
    }
    spec.shape[1] *= factor_;
    spec.shape[2] *= factor_;
    spec.shape[3] /= square;
    sink.output(spec);
}

}  // namespace sluice::reference
