// Scaling by its definition: every pixel of the result looks at every pixel of the source.
#pragma once

#include <algorithm>
#include <cmath>

#include "unit/datasets/transforms/transform_test.hpp"

namespace sluice::test {

inline double plain_weight(const std::string& method, double distance, double scale) {
    const double x = std::abs(distance) / std::max(scale, 1.0);
    if (method == "area") {  // overlap of a pixel and an interval of `scale`
        return std::max(0.0, std::min(distance + 0.5, scale / 2.0) - std::max(distance - 0.5, -scale / 2.0));
    }
    if (method == "bilinear") {
        return std::max(0.0, 1.0 - x);
    }
    return x < 1.0   ? 1.5 * x * x * x - 2.5 * x * x + 1.0
           : x < 2.0 ? -0.5 * x * x * x + 2.5 * x * x - 4.0 * x + 2.0
                     : 0.0;
}

// Returns the weight of each pixel in a row of `source` pixels for pixel `i` of `result` pixels.
inline std::vector<double> plain_weights(const std::string& method, std::int64_t source, std::int64_t result,
                                         std::int64_t i) {
    const double scale = static_cast<double>(source) / static_cast<double>(result);
    const double center = (static_cast<double>(i) + 0.5) * scale;
    std::vector<double> weights;
    double sum = 0.0;
    for (std::int64_t k = 0; k < source; ++k) {
        weights.push_back(plain_weight(method, static_cast<double>(k) + 0.5 - center, scale));
        sum += weights.back();
    }
    for (double& weight : weights) {
        weight /= sum;
    }
    return weights;
}

inline data::Image plain_resample(const data::Image& from, const std::string& method, std::int64_t height,
                                  std::int64_t width) {
    data::Image to{height, width, from.channels, {}};
    for (std::int64_t y = 0; y < height; ++y) {
        const std::vector<double> down = plain_weights(method, from.height, height, y);
        for (std::int64_t x = 0; x < width; ++x) {
            const std::vector<double> across = plain_weights(method, from.width, width, x);
            for (std::int64_t c = 0; c < from.channels; ++c) {
                double sum = 0.0;
                for (std::int64_t i = 0; i < from.height * from.width; ++i) {
                    const std::int64_t row = i / from.width;
                    const std::int64_t column = i % from.width;
                    sum += down[static_cast<std::size_t>(row)] * across[static_cast<std::size_t>(column)] *
                           from.at(row, column, c);
                }
                to.add(std::clamp(std::round(sum), 0.0, 255.0));
            }
        }
    }
    return to;
}

}  // namespace sluice::test
