// Walks over the places of a pixel (images/mirror.hpp).
#pragma once

#include "images/mirror.hpp"

namespace sluice::cudnn {

// Calls use(place) for each place of the pixel except its own, in a fixed order.
template <class Use>
__device__ void for_other_places(const Mirror& mirror, const Mirror::Pixel& pixel, const Use& use) {
    if (mirror.is_inner(pixel)) {
        return;
    }
#pragma unroll 1
    for (int copy = 1; copy < kMostCopies * kMostCopies; ++copy) {
        const std::uint32_t place = mirror.place(pixel, copy);
        if (place != kNowhere) {
            use(place);
        }
    }
}

}  // namespace sluice::cudnn
