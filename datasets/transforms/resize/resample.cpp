#include "resize/resample.hpp"

#include <algorithm>
#include <cmath>

#include "sluice/sdk/clones.hpp"

namespace sluice::transforms {
namespace {

// The radius of a filter, in pixels of the coarser grid.
double reach_of(Method method) {
    switch (method) {
        case Method::area:
            return 0.5;
        case Method::bilinear:
            return 1.0;
        default:
            return 2.0;
    }
}

// Keys, "Cubic convolution interpolation for digital image processing", 1981, with a = -1/2.
double cubic(double x) {
    constexpr double kA = -0.5;
    x = std::abs(x);
    return x < 1.0   ? ((kA + 2.0) * x - (kA + 3.0)) * x * x + 1.0
           : x < 2.0 ? ((x - 5.0) * x + 8.0) * x * kA - 4.0 * kA
                     : 0.0;
}

// The weight of source pixel `k` for a result pixel with its centre at `center`, which covers `scale` source pixels.
double weight_of(Method method, double k, double center, double scale) {
    const double coarser = std::max(scale, 1.0);
    switch (method) {
        case Method::area:
            return std::min(k + 1.0, center + scale / 2.0) - std::max(k, center - scale / 2.0);
        case Method::bilinear:
            return 1.0 - std::abs(k + 0.5 - center) / coarser;
        default:
            return cubic((k + 0.5 - center) / coarser);
    }
}

// Sets the range and the weights of the filter of result pixel `i`.
void add_taps(Method method, std::int64_t source, double center, double scale, std::int64_t i, Filter& filter) {
    const bool is_area = method == Method::area;
    const double reach = reach_of(method) * (is_area ? scale : std::max(scale, 1.0));
    // For `area`, every partly covered pixel counts; for other filters, pixels whose centre is within reach.
    const double margin = is_area ? 0.0 : 0.5;
    auto begin = static_cast<std::int64_t>(std::floor(center - reach + margin));
    auto end = static_cast<std::int64_t>(std::ceil(center + reach - margin));
    begin = std::clamp<std::int64_t>(begin, 0, source - 1);
    end = std::clamp<std::int64_t>(end, begin + 1, std::min(source, begin + filter.most));
    float* weights = filter.weights.data() + i * filter.most;
    double sum = 0.0;
    for (std::int64_t k = begin; k < end; ++k) {
        const double weight = weight_of(method, static_cast<double>(k), center, scale);
        const double counted = method == Method::bicubic ? weight : std::max(weight, 0.0);
        weights[k - begin] = static_cast<float>(counted);
        sum += counted;
    }
    for (std::int64_t k = begin; k < end; ++k) {
        weights[k - begin] = static_cast<float>(weights[k - begin] / sum);
    }
    filter.first[static_cast<std::size_t>(i)] = begin;
    filter.count[static_cast<std::size_t>(i)] = end - begin;
}

// Makes the filter that scales `length` pixels from `offset` on to `result` pixels. `source`: pixels of the whole axis.
void make_filter(Method method, std::int64_t source, double offset, double length, std::int64_t result,
                 Filter& filter) {
    const double scale = length / static_cast<double>(result);
    filter.most = 3 + static_cast<std::int64_t>(std::ceil(2.0 * reach_of(method) * std::max(scale, 1.0)));
    filter.first.resize(static_cast<std::size_t>(result));
    filter.count.resize(static_cast<std::size_t>(result));
    filter.weights.resize(static_cast<std::size_t>(result * filter.most));
    for (std::int64_t i = 0; i < result; ++i) {
        add_taps(method, source, offset + (static_cast<double>(i) + 0.5) * scale, scale, i, filter);
    }
}

// sum[i] += sum over rows of weights[row] * rows[row][i]; rows are `count` values apart.
template <class Value>
[[gnu::always_inline]] inline void add_rows_of(const Value* rows, const float* weights, std::int64_t number,
                                               std::int64_t count, float* sum) {
    for (; number >= 4; number -= 4, rows += 4 * count, weights += 4) {
        const Value* next = rows + count;
        const Value* third = next + count;
        const Value* fourth = third + count;
        for (std::int64_t i = 0; i < count; ++i) {
            sum[i] += (weights[0] * static_cast<float>(rows[i]) + weights[1] * static_cast<float>(next[i])) +
                      (weights[2] * static_cast<float>(third[i]) + weights[3] * static_cast<float>(fourth[i]));
        }
    }
    for (; number > 0; --number, rows += count, ++weights) {
        for (std::int64_t i = 0; i < count; ++i) {
            sum[i] += weights[0] * static_cast<float>(rows[i]);
        }
    }
}

// SLUICE_CLONES does not work on templates.
SLUICE_CLONES
void add_rows(const std::uint8_t* rows, const float* weights, std::int64_t number, std::int64_t count, float* sum) {
    add_rows_of(rows, weights, number, count, sum);
}
SLUICE_CLONES
void add_rows(const float* rows, const float* weights, std::int64_t number, std::int64_t count, float* sum) {
    add_rows_of(rows, weights, number, count, sum);
}

void put(float value, std::uint8_t& to) { to = static_cast<std::uint8_t>(std::clamp(value + 0.5F, 0.0F, 255.0F)); }
void put(float value, float& to) { to = std::clamp(value, 0.0F, 1.0F); }

// Scales one row to the result's width. kChannels 0: `any_channels` gives the number of channels.
template <int kChannels, class Value>
void narrow_row(const float* from, const Filter& filter, std::int64_t any_channels, Value* to) {
    const std::int64_t channels = kChannels == 0 ? any_channels : kChannels;
    for (std::size_t x = 0; x < filter.first.size(); ++x) {
        const float* weights = filter.weights.data() + static_cast<std::int64_t>(x) * filter.most;
        const float* source = from + filter.first[x] * channels;
        const std::int64_t count = filter.count[x];
        if constexpr (kChannels == 3) {
            float red = 0.0F;
            float green = 0.0F;
            float blue = 0.0F;
            for (std::int64_t k = 0; k < count; ++k, source += 3) {
                red += weights[k] * source[0];
                green += weights[k] * source[1];
                blue += weights[k] * source[2];
            }
            put(red, *to++);
            put(green, *to++);
            put(blue, *to++);
        } else {
            for (std::int64_t c = 0; c < channels; ++c) {
                float sum = 0.0F;
                for (std::int64_t k = 0; k < count; ++k) {
                    sum += weights[k] * source[k * channels + c];
                }
                put(sum, *to++);
            }
        }
    }
}

void resample_nearest(const Picture& from, const Region& region, Extent size, std::uint8_t* to) {
    const auto nearest = [](double offset, double length, std::int64_t i, std::int64_t result, std::int64_t source) {
        const double center = offset + (static_cast<double>(i) + 0.5) * length / static_cast<double>(result);
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(center), 0, source - 1);
    };
    for (std::int64_t y = 0; y < size.height; ++y) {
        const std::uint8_t* row =
            from.bytes + nearest(region.top, region.height, y, size.height, from.extent.height) * from.row_bytes();
        for (std::int64_t x = 0; x < size.width; ++x) {
            const std::int64_t source_x = nearest(region.left, region.width, x, size.width, from.extent.width);
            to = std::copy_n(row + source_x * from.pixel_bytes(), from.pixel_bytes(), to);
        }
    }
}

// Filters vertically first, because the compiler vectorizes that; then fewer rows are left to filter horizontally.
template <class Value>
void filter_values(const Value* values, const Picture& from, Extent size, ResampleScratch& scratch, Value* to) {
    const std::int64_t row_values = from.extent.width * from.channels;
    const Filter& down = scratch.down;
    for (std::int64_t y = 0; y < size.height; ++y, to += size.width * from.channels) {
        const auto row = static_cast<std::size_t>(y);
        scratch.row.assign(static_cast<std::size_t>(row_values), 0.0F);
        add_rows(values + down.first[row] * row_values, down.weights.data() + y * down.most, down.count[row],
                 row_values, scratch.row.data());
        if (from.channels == 3) {
            narrow_row<3>(scratch.row.data(), scratch.across, 3, to);
        } else if (from.channels == 1) {
            narrow_row<1>(scratch.row.data(), scratch.across, 1, to);
        } else {
            narrow_row<0>(scratch.row.data(), scratch.across, from.channels, to);
        }
    }
}

}  // namespace

Method method_called(const std::string& name) {
    return name == "nearest"    ? Method::nearest
           : name == "area"     ? Method::area
           : name == "bilinear" ? Method::bilinear
                                : Method::bicubic;
}

void resample(const Picture& from, const Region& region, Method method, Extent size, ResampleScratch& scratch,
              std::uint8_t* to) {
    if (method == Method::nearest) {
        resample_nearest(from, region, size, to);
        return;
    }
    make_filter(method, from.extent.height, region.top, region.height, size.height, scratch.down);
    make_filter(method, from.extent.width, region.left, region.width, size.width, scratch.across);
    if (from.value_bytes == 1) {
        filter_values(from.bytes, from, size, scratch, to);
    } else {
        filter_values(reinterpret_cast<const float*>(from.bytes), from, size, scratch, reinterpret_cast<float*>(to));
    }
}

}  // namespace sluice::transforms
