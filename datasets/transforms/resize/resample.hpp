// Scales a picture. Pixels are squares: the centre of pixel i lies at i + 1/2.
#pragma once

#include <string>
#include <vector>

#include "sample/picture.hpp"

namespace sluice::transforms {

// How a pixel of the result is computed. If the picture shrinks, filters widen by the same factor.
enum class Method : std::uint8_t {
    nearest,   // the source pixel that contains its centre
    area,      // the mean of the source area that it covers
    bilinear,  // a triangle filter, one pixel to each side
    bicubic    // Keys' cubic with a = -1/2, two pixels to each side; may overshoot: clamped to 0 to 255, or 0 to 1
};

// The method with the name that an option uses.
Method method_called(const std::string& name);

// Part of a picture; it may begin and end within pixels. Positions outside the picture do not count.
struct Region {
    double top = 0.0;
    double left = 0.0;
    double height = 0.0;
    double width = 0.0;
};

inline Region whole(Extent extent) {
    return {0.0, 0.0, static_cast<double>(extent.height), static_cast<double>(extent.width)};
}

// A filter along one axis: result[i] = sum over k of weights[i * most + k] * source[first[i] + k], k < count[i].
struct Filter {
    std::int64_t most = 0;  // the greatest count
    std::vector<std::int64_t> first;
    std::vector<std::int64_t> count;
    std::vector<float> weights;
};

// Scratch memory that is kept between calls.
struct ResampleScratch {
    Filter down;
    Filter across;
    std::vector<float> row;  // [width of the source, channels]
};

// to: [size.height, size.width, channels], of the type of `from`: uint8, or float32 from 0 to 1
void resample(const Picture& from, const Region& region, Method method, Extent size, ResampleScratch& scratch,
              std::uint8_t* to);

}  // namespace sluice::transforms
