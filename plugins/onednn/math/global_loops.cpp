#include "math/global_loops.hpp"

#include <algorithm>

#include "math/clones.hpp"

namespace sluice::onednn {
namespace {

// Pixels summed in float before they go to double: few enough that no digit is lost.
constexpr std::int64_t kPixels = 64;

SLUICE_CLONES void add_pixels(const float* x, std::int64_t pixels, std::int64_t step, std::int64_t count,
                              float* __restrict sums) {
    for (std::int64_t p = 0; p < pixels; ++p) {
        for (std::int64_t c = 0; c < count; ++c) {
            sums[c] += x[p * step + c];
        }
    }
}

SLUICE_CLONES void compare_pixels(const GlobalBlock& block, const float* x, float* __restrict best,
                                  std::int32_t* __restrict at) {
    for (std::int64_t p = 0; p < block.pixels; ++p) {
        const float* value = x + p * block.channels;
        for (std::int64_t c = 0; c < block.count; ++c) {
            const bool larger = (value[c] > best[c]) | (value[c] != value[c]);
            best[c] = larger ? value[c] : best[c];
            at[c] = larger ? static_cast<std::int32_t>(p) : at[c];
        }
    }
}

}  // namespace

void mean_of(const GlobalBlock& block, const float* x, float* y) {
    double totals[kGlobalBlock] = {};
    for (std::int64_t p = 0; p < block.pixels; p += kPixels) {
        float sums[kGlobalBlock] = {};
        add_pixels(x + p * block.channels, std::min(kPixels, block.pixels - p), block.channels, block.count, sums);
        for (std::int64_t c = 0; c < block.count; ++c) {
            totals[c] += sums[c];
        }
    }
    for (std::int64_t c = 0; c < block.count; ++c) {
        y[c] = static_cast<float>(totals[c] / static_cast<double>(block.pixels));
    }
}

SLUICE_CLONES void spread(const GlobalBlock& block, const float* gradient, float share, float* to, bool add) {
    float value[kGlobalBlock];
    for (std::int64_t c = 0; c < block.count; ++c) {
        value[c] = share * gradient[c];
    }
    for (std::int64_t p = 0; p < block.pixels; ++p) {
        float* mine = to + p * block.channels;
        for (std::int64_t c = 0; c < block.count; ++c) {
            mine[c] = add ? mine[c] + value[c] : value[c];
        }
    }
}

void largest_of(const GlobalBlock& block, const float* x, float* y, std::int32_t* pixels) {
    float best[kGlobalBlock];
    std::int32_t at[kGlobalBlock] = {};
    std::copy_n(x, block.count, best);
    compare_pixels(block, x, best, at);
    std::copy_n(best, block.count, y);
    if (pixels != nullptr) {
        std::copy_n(at, block.count, pixels);
    }
}

void clear(const GlobalBlock& block, float* to) {
    for (std::int64_t p = 0; p < block.pixels; ++p) {
        std::fill_n(to + p * block.channels, block.count, 0.0F);
    }
}

void add_at(const GlobalBlock& block, const float* gradient, const std::int32_t* pixels, float* to) {
    for (std::int64_t c = 0; c < block.count; ++c) {
        to[pixels[c] * block.channels + c] += gradient[c];
    }
}

}  // namespace sluice::onednn
