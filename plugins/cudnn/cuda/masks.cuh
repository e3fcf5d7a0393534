// The elementwise end of a chain of layers: masks (relu and dropout, which set elements to 0) and the sum with a tensor
// from outside the chain. Each thread takes eight neighbouring elements at a time.
//
// With relu, forward in training stores one bit per element, which is 1 if a gradient flows through relu and dropout.
// Backward reads these bits, an eighth of a byte per element, and no activation.
#pragma once

#include "cuda/numbers.cuh"
#include "cuda/random.cuh"
#include "sluice/sdk/mask_chain.hpp"

namespace sluice::cudnn {

inline constexpr int kGroup = 8;  // elements of a group: their bits fill one byte, their random words two blocks

using sdk::Join;

// Kernels take it by value.
struct ChainMasks {
    bool relu = false;
    Join join = Join::none;
    std::uint64_t threshold = 0;  // rate * 2^32: an element whose random word is below it is dropped; 0: none is
    float factor = 1.0F;          // 1 / (1 - rate), for elements that are kept
    RandomKey key;
};

// Loads group number `group` of a tensor of n elements, with 0 for elements after its end.
template <class T>
__device__ Pack<T, kGroup> load_group(const T* from, std::uint32_t group, std::int64_t n) {
    const std::int64_t at = std::int64_t{group} * kGroup;
    if (at + kGroup <= n) {
        return load_pack<kGroup>(from + at);
    }
    Pack<T, kGroup> some;
    for (int k = 0; k < kGroup; ++k) {
        some.values[k] = at + k < n ? from[at + k] : from_float<T>(0.0F);
    }
    return some;
}

template <class T>
__device__ void store_group(T* to, std::uint32_t group, std::int64_t n, const Pack<T, kGroup>& values) {
    const std::int64_t at = std::int64_t{group} * kGroup;
    if (at + kGroup <= n) {
        store_pack(to + at, values);
        return;
    }
    for (int k = 0; k < kGroup && at + k < n; ++k) {
        to[at + k] = values.values[k];
    }
}

// Returns the step's random key. A thread calls this once: between stores the compiler would read the key again for
// each group.
__device__ inline sluice_random_key random_key_of(const ChainMasks& masks) {
    return masks.threshold == 0 ? sluice_random_key{} : masks.key.of_step();
}

// Bit k of the result is 0 if element k of the group is dropped. Without relu, backward uses these bits.
__device__ inline unsigned kept_bits(const ChainMasks& masks, const sluice_random_key& key, std::uint32_t group) {
    if (masks.threshold == 0) {
        return 0xFFU;
    }
    constexpr int kWords = 4;
    unsigned kept = 0;
    for (int half = 0; half < kGroup / kWords; ++half) {
        const RandomWords words = philox(key, std::uint64_t{group} * (kGroup / kWords) + static_cast<unsigned>(half));
        for (int k = 0; k < kWords; ++k) {
            // Two statements: in one, g++ 12 with its undefined-behaviour sanitizer reads another word.
            const bool is_dropped = words.values[k] < masks.threshold;
            kept |= (is_dropped ? 0U : 1U) << (half * kWords + k);
        }
    }
    return kept;
}

// Replaces `values` by the chain's result; outside[k] is added to element k. Returns the bits for backward.
__device__ inline unsigned apply_masks(const ChainMasks& masks, const sluice_random_key& key, std::uint32_t group,
                                       float (&values)[kGroup], const float (&outside)[kGroup]) {
    const unsigned kept = kept_bits(masks, key, group);
    unsigned bits = 0;
    for (int k = 0; k < kGroup; ++k) {
        float value = masks.join == Join::before_masks ? values[k] + outside[k] : values[k];
        const bool is_kept = (kept >> k & 1U) != 0;
        bits |= (is_kept && (!masks.relu || value > 0.0F) ? 1U : 0U) << k;
        value = masks.relu && value < 0.0F ? 0.0F : value;  // NaN, which is not less than 0, stays NaN
        value = is_kept ? value * masks.factor : 0.0F;
        values[k] = masks.join == Join::after_masks ? value + outside[k] : value;
    }
    return bits;
}

// Returns the gradient of element k before relu and dropout, from its gradient after them.
__device__ inline float mask_gradient(float gradient, unsigned bits, float factor, int k) {
    return (bits >> k & 1U) != 0 ? gradient * factor : 0.0F;
}

}  // namespace sluice::cudnn
