#include "math/mix_loops.hpp"

#include "math/clones.hpp"

namespace sluice::onednn {

SLUICE_CLONES void mix_pixels(const Corners& corners, float right, float bottom, float* __restrict to,
                              std::int64_t channels) {
    const float* top_left = corners.top_left;
    const float* top_right = corners.top_right;
    const float* bottom_left = corners.bottom_left;
    const float* bottom_right = corners.bottom_right;
    for (std::int64_t c = 0; c < channels; ++c) {
        const float upper = top_left[c] + right * (top_right[c] - top_left[c]);
        const float lower = bottom_left[c] + right * (bottom_right[c] - bottom_left[c]);
        to[c] = upper + bottom * (lower - upper);
    }
}

}  // namespace sluice::onednn
