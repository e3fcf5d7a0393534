#include "resample.hpp"

#include <algorithm>
#include <cmath>

namespace sluice::transforms {
namespace {

// Along one axis: result[i] = sum over k of weights[i][k] * source[first[i] + k].
struct Filter {
    std::vector<std::int64_t> first;
    std::vector<std::vector<float>> weights;
};

Filter triangle_filter(std::int64_t source, std::int64_t result) {
    const double scale = static_cast<double>(source) / static_cast<double>(result);
    const double reach = std::max(scale, 1.0);
    Filter filter;
    for (std::int64_t i = 0; i < result; ++i) {
        const double center = (static_cast<double>(i) + 0.5) * scale;
        const auto begin = std::max<std::int64_t>(0, std::llround(std::floor(center - reach + 0.5)));
        const auto end = std::min<std::int64_t>(source, std::llround(std::floor(center + reach + 0.5)));
        std::vector<float> weights;
        double sum = 0.0;
        for (std::int64_t k = begin; k < end; ++k) {
            const double weight = std::max(0.0, 1.0 - std::abs(static_cast<double>(k) + 0.5 - center) / reach);
            weights.push_back(static_cast<float>(weight));
            sum += weight;
        }
        for (float& weight : weights) {
            weight = static_cast<float>(weight / sum);
        }
        filter.first.push_back(begin);
        filter.weights.push_back(std::move(weights));
    }
    return filter;
}

// One row of the source to one row of the result's width.
void narrow_row(const std::uint8_t* from, const Filter& filter, std::int64_t channels, float* to) {
    for (std::size_t x = 0; x < filter.first.size(); ++x) {
        for (std::int64_t c = 0; c < channels; ++c) {
            const std::uint8_t* source = from + filter.first[x] * channels + c;
            float sum = 0.0F;
            for (const float weight : filter.weights[x]) {
                sum += weight * static_cast<float>(*source);
                source += channels;
            }
            *to++ = sum;
        }
    }
}

}  // namespace

void resample_bilinear(const Picture& from, Extent size, ResampleScratch& scratch, std::uint8_t* to) {
    const Filter across = triangle_filter(from.extent.width, size.width);
    const Filter down = triangle_filter(from.extent.height, size.height);
    const auto row_length = static_cast<std::size_t>(size.width * from.channels);
    scratch.narrowed.resize(static_cast<std::size_t>(from.extent.height) * row_length);
    for (std::int64_t y = 0; y < from.extent.height; ++y) {
        narrow_row(from.bytes + y * from.row_bytes(), across, from.channels,
                   scratch.narrowed.data() + static_cast<std::size_t>(y) * row_length);
    }
    for (std::size_t y = 0; y < down.first.size(); ++y) {
        scratch.row.assign(row_length, 0.5F);  // so that the cast below rounds
        const float* source = scratch.narrowed.data() + static_cast<std::size_t>(down.first[y]) * row_length;
        for (const float weight : down.weights[y]) {
            for (std::size_t i = 0; i < row_length; ++i) {
                scratch.row[i] += weight * source[i];
            }
            source += row_length;
        }
        for (std::size_t i = 0; i < row_length; ++i) {
            *to++ = static_cast<std::uint8_t>(scratch.row[i]);
        }
    }
}

void resample_nearest(const Picture& from, Extent size, std::uint8_t* to) {
    for (std::int64_t y = 0; y < size.height; ++y) {
        const std::int64_t source_y = (2 * y + 1) * from.extent.height / (2 * size.height);
        const std::uint8_t* row = from.bytes + source_y * from.row_bytes();
        for (std::int64_t x = 0; x < size.width; ++x) {
            const std::int64_t source_x = (2 * x + 1) * from.extent.width / (2 * size.width);
            to = std::copy_n(row + source_x * from.channels, from.channels, to);
        }
    }
}

}  // namespace sluice::transforms
