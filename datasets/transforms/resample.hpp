// Scaling of one picture. Pixels are squares: the centre of pixel i lies at i + 1/2.
#pragma once

#include <string>
#include <vector>

#include "picture.hpp"

namespace sluice::transforms {

// What a pixel of the result is made of. Where the result is the coarser grid, filters are as much wider.
enum class Method : std::uint8_t {
    nearest,   // the pixel in which its centre falls
    area,      // the mean of what it covers
    bilinear,  // a triangle, one pixel to each side
    bicubic    // Keys' cubic with a = -1/2, two pixels to each side; may overshoot, and is cut off at 0 and 255, or 1
};

// Of an option's words.
Method method_called(const std::string& name);

// Part of a picture, which may begin and end within pixels; what lies beyond the picture is not there.
struct Region {
    double top = 0.0;
    double left = 0.0;
    double height = 0.0;
    double width = 0.0;
};

inline Region whole(Extent extent) {
    return {0.0, 0.0, static_cast<double>(extent.height), static_cast<double>(extent.width)};
}

// Along one axis: result[i] = sum over k of weights[i * most + k] * source[first[i] + k], k < count[i].
struct Filter {
    std::int64_t most = 0;  // the greatest count
    std::vector<std::int64_t> first;
    std::vector<std::int64_t> count;
    std::vector<float> weights;
};

// Memory that is kept between calls.
struct ResampleScratch {
    Filter down;
    Filter across;
    std::vector<float> row;  // [width of the source, channels]
};

// to: [size.height, size.width, channels], of the values of `from`: uint8, or float32 from 0 to 1
void resample(const Picture& from, const Region& region, Method method, Extent size, ResampleScratch& scratch,
              std::uint8_t* to);

}  // namespace sluice::transforms
