// Vector loops of bilinear upsampling over the channels of one pixel, float32.
#pragma once

#include <cstdint>

namespace sluice::onednn {

struct Corners {
    const float* top_left;
    const float* top_right;
    const float* bottom_left;
    const float* bottom_right;
};

// to: of the corners, `right` of the right ones and `bottom` of the lower ones, both in [0, 1].
void mix_pixels(const Corners& corners, float right, float bottom, float* to, std::int64_t channels);

}  // namespace sluice::onednn
