// Scaling of one picture. Pixels are squares: the centre of pixel i lies at i + 1/2.
#pragma once

#include <vector>

#include "picture.hpp"

namespace sluice::transforms {

// Memory that is kept between calls.
struct ResampleScratch {
    std::vector<float> narrowed;  // [height of the source, width of the result, channels]
    std::vector<float> row;       // [width of the result, channels]
};

// A triangle filter one pixel to each side, of the coarser of the two grids, so that shrinking averages.
// to: [size.height, size.width, channels]
void resample_bilinear(const Picture& from, Extent size, ResampleScratch& scratch, std::uint8_t* to);

// The pixel in which the centre of the result's pixel falls. to: as above
void resample_nearest(const Picture& from, Extent size, std::uint8_t* to);

}  // namespace sluice::transforms
