#include "math/pool_loops.hpp"

#include <algorithm>

#include "math/conversions.hpp"
#include "sluice/sdk/clones.hpp"

namespace sluice::onednn {
namespace {

// Channels at a time, few enough that their running values stay in registers or in the first-level cache.
constexpr std::int64_t kBlock = 64;

struct Block {
    std::int64_t first;
    std::int64_t count;
};

template <class Element>
SLUICE_CLONES void block_largest(const PoolWindow<Element>& window, const Block& block, float* __restrict best,
                                 std::int32_t* __restrict at) {
    for (std::int64_t r = 0; r < window.rows; ++r) {
        for (std::int64_t s = 0; s < window.columns; ++s) {
            const Element* x = window.corner + r * window.row_step + s * window.channels + block.first;
            const auto tap = static_cast<std::int32_t>(window.first_tap + r * window.kernel + s);
            for (std::int64_t c = 0; c < block.count; ++c) {
                const float value = x[c];
                const bool larger = (value > best[c]) | (value != value);
                best[c] = larger ? value : best[c];
                at[c] = larger ? tap : at[c];
            }
        }
    }
}

template <class Element>
SLUICE_CLONES void block_sum(const PoolWindow<Element>& window, const Block& block, float* __restrict sums) {
    for (std::int64_t r = 0; r < window.rows; ++r) {
        for (std::int64_t s = 0; s < window.columns; ++s) {
            const Element* x = window.corner + r * window.row_step + s * window.channels + block.first;
            for (std::int64_t c = 0; c < block.count; ++c) {
                sums[c] += x[c];
            }
        }
    }
}

}  // namespace

template <class Element>
void largest_of(const PoolWindow<Element>& window, Element* y, std::uint16_t* taps) {
    for (std::int64_t first = 0; first < window.channels; first += kBlock) {
        const Block block{first, std::min(kBlock, window.channels - first)};
        float best[kBlock];
        std::int32_t at[kBlock];
        std::copy_n(window.corner + first, block.count, best);
        std::fill_n(at, block.count, static_cast<std::int32_t>(window.first_tap));
        block_largest(window, block, best, at);
        convert(y + first, best, block.count, false);
        if (taps != nullptr) {
            std::copy_n(at, block.count, taps + first);
        }
    }
}

template <class Element>
SLUICE_CLONES void add_where(float* __restrict to, const Element* gradient, const std::uint16_t* taps,
                             std::uint16_t tap, std::int64_t channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
        to[c] += taps[c] == tap ? static_cast<float>(gradient[c]) : 0.0F;
    }
}

template <class Element>
void sum_of(const PoolWindow<Element>& window, float factor, Element* y) {
    for (std::int64_t first = 0; first < window.channels; first += kBlock) {
        const Block block{first, std::min(kBlock, window.channels - first)};
        float sums[kBlock] = {};
        block_sum(window, block, sums);
        std::transform(sums, sums + block.count, sums, [=](float sum) { return factor * sum; });
        convert(y + first, sums, block.count, false);
    }
}

template <class Element>
SLUICE_CLONES void add_scaled(float* __restrict to, const Element* gradient, float factor, std::int64_t channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
        to[c] += factor * gradient[c];
    }
}

template void largest_of(const PoolWindow<float>&, float*, std::uint16_t*);
template void add_where(float*, const float*, const std::uint16_t*, std::uint16_t, std::int64_t);
template void sum_of(const PoolWindow<float>&, float, float*);
template void add_scaled(float*, const float*, float, std::int64_t);
template void largest_of(const PoolWindow<Bfloat16>&, Bfloat16*, std::uint16_t*);
template void add_where(float*, const Bfloat16*, const std::uint16_t*, std::uint16_t, std::int64_t);
template void sum_of(const PoolWindow<Bfloat16>&, float, Bfloat16*);
template void add_scaled(float*, const Bfloat16*, float, std::int64_t);

}  // namespace sluice::onednn
