#include "math/pool_loops.hpp"

#include <algorithm>

#include "math/clones.hpp"

namespace sluice::onednn {
namespace {

// Channels at a time, so that their running values stay in registers or in the nearest cache.
constexpr std::int64_t kBlock = 64;

struct Block {
    std::int64_t first;
    std::int64_t count;
};

SLUICE_CLONES void block_largest(const PoolWindow& window, const Block& block, float* __restrict best,
                                 std::int32_t* __restrict at) {
    for (std::int64_t r = 0; r < window.rows; ++r) {
        for (std::int64_t s = 0; s < window.columns; ++s) {
            const float* x = window.corner + r * window.row_step + s * window.channels + block.first;
            const auto tap = static_cast<std::int32_t>(window.first_tap + r * window.kernel + s);
            for (std::int64_t c = 0; c < block.count; ++c) {
                const bool larger = (x[c] > best[c]) | (x[c] != x[c]);
                best[c] = larger ? x[c] : best[c];
                at[c] = larger ? tap : at[c];
            }
        }
    }
}

SLUICE_CLONES void block_sum(const PoolWindow& window, const Block& block, float* __restrict sums) {
    for (std::int64_t r = 0; r < window.rows; ++r) {
        for (std::int64_t s = 0; s < window.columns; ++s) {
            const float* x = window.corner + r * window.row_step + s * window.channels + block.first;
            for (std::int64_t c = 0; c < block.count; ++c) {
                sums[c] += x[c];
            }
        }
    }
}

}  // namespace

void largest_of(const PoolWindow& window, float* y, std::uint16_t* taps) {
    for (std::int64_t first = 0; first < window.channels; first += kBlock) {
        const Block block{first, std::min(kBlock, window.channels - first)};
        float best[kBlock];
        std::int32_t at[kBlock];
        std::copy_n(window.corner + first, block.count, best);
        std::fill_n(at, block.count, static_cast<std::int32_t>(window.first_tap));
        block_largest(window, block, best, at);
        std::copy_n(best, block.count, y + first);
        if (taps != nullptr) {
            std::copy_n(at, block.count, taps + first);
        }
    }
}

SLUICE_CLONES void add_where(float* __restrict to, const float* gradient, const std::uint16_t* taps, std::uint16_t tap,
                             std::int64_t channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
        to[c] += taps[c] == tap ? gradient[c] : 0.0F;
    }
}

void sum_of(const PoolWindow& window, float factor, float* y) {
    for (std::int64_t first = 0; first < window.channels; first += kBlock) {
        const Block block{first, std::min(kBlock, window.channels - first)};
        float sums[kBlock] = {};
        block_sum(window, block, sums);
        std::transform(sums, sums + block.count, y + first, [=](float sum) { return factor * sum; });
    }
}

SLUICE_CLONES void add_scaled(float* __restrict to, const float* gradient, float factor, std::int64_t channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
        to[c] += factor * gradient[c];
    }
}

}  // namespace sluice::onednn
