#include "math/philox_mask.hpp"

#include <algorithm>

#include "math/clones.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kLanes = 64;  // blocks computed together, as vectors

// words[4 * lane + word] of the blocks first, first + 1, ...
// The arithmetic is sluice_philox's, with its rounds outside and the blocks inside.
SLUICE_CLONES void philox_lanes(const sluice_random_key& key, std::uint64_t first, std::uint32_t* words) {
    const std::uint64_t mixed = key.seed ^ (key.stream * UINT64_C(0x9E3779B97F4A7C15));
    auto k0 = static_cast<std::uint32_t>(mixed);
    auto k1 = static_cast<std::uint32_t>(mixed >> 32U);
    std::uint32_t c0[kLanes];
    std::uint32_t c1[kLanes];
    std::uint32_t c2[kLanes];
    std::uint32_t c3[kLanes];
    for (std::int64_t i = 0; i < kLanes; ++i) {
        const std::uint64_t block = first + static_cast<std::uint64_t>(i);
        c0[i] = static_cast<std::uint32_t>(block);
        c1[i] = static_cast<std::uint32_t>(block >> 32U);
        c2[i] = static_cast<std::uint32_t>(key.counter);
        c3[i] = static_cast<std::uint32_t>(key.counter >> 32U);
    }
    for (int round = 0; round < 10; ++round) {
        for (std::int64_t i = 0; i < kLanes; ++i) {
            const std::uint64_t p0 = UINT64_C(0xD2511F53) * c0[i];
            const std::uint64_t p1 = UINT64_C(0xCD9E8D57) * c2[i];
            c0[i] = static_cast<std::uint32_t>(p1 >> 32U) ^ c1[i] ^ k0;
            c2[i] = static_cast<std::uint32_t>(p0 >> 32U) ^ c3[i] ^ k1;
            c1[i] = static_cast<std::uint32_t>(p1);
            c3[i] = static_cast<std::uint32_t>(p0);
        }
        k0 += UINT32_C(0x9E3779B9);
        k1 += UINT32_C(0xBB67AE85);
    }
    for (std::int64_t i = 0; i < kLanes; ++i) {
        words[4 * i] = c0[i];
        words[4 * i + 1] = c1[i];
        words[4 * i + 2] = c2[i];
        words[4 * i + 3] = c3[i];
    }
}

SLUICE_CLONES void apply(const Dropout& choice, const std::uint32_t* words, std::int64_t count, const float* from,
                         float* to, bool add) {
    const std::uint64_t threshold = choice.threshold;
    const float factor = choice.factor;
    for (std::int64_t i = 0; i < count; ++i) {
        const float mine = words[i] < threshold ? 0.0F : from[i] * factor;
        to[i] = add ? to[i] + mine : mine;
    }
}

}  // namespace

void dropout(const Dropout& choice, std::int64_t begin, std::int64_t count, const float* from, float* to, bool add) {
    std::uint32_t words[4 * kLanes];
    for (std::int64_t i = 0; i < count; i += 4 * kLanes) {
        philox_lanes(choice.key, static_cast<std::uint64_t>((begin + i) / 4), words);
        apply(choice, words, std::min(count - i, 4 * kLanes), from + i, to + i, add);
    }
}

}  // namespace sluice::onednn
