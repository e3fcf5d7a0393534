// The random words of sluice/random.h, for kernels.
#pragma once

#include <cstdint>

#include "sluice/kind/kernel.h"

namespace sluice::cudnn {

struct RandomWords {
    std::uint32_t values[4];
};

// Returns the words of sluice_philox(), which cannot run on a device.
constexpr RandomWords philox(const sluice_random_key& key, std::uint64_t block) {
    const std::uint64_t mixed = key.seed ^ (key.stream * 0x9E3779B97F4A7C15U);
    auto k0 = static_cast<std::uint32_t>(mixed);
    auto k1 = static_cast<std::uint32_t>(mixed >> 32);
    auto c0 = static_cast<std::uint32_t>(block);
    auto c1 = static_cast<std::uint32_t>(block >> 32);
    auto c2 = static_cast<std::uint32_t>(key.counter);
    auto c3 = static_cast<std::uint32_t>(key.counter >> 32);
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p0 = std::uint64_t{0xD2511F53U} * c0;
        const std::uint64_t p1 = std::uint64_t{0xCD9E8D57U} * c2;
        c0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
        c2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
        c1 = static_cast<std::uint32_t>(p1);
        c3 = static_cast<std::uint32_t>(p0);
        k0 += 0x9E3779B9U;
        k1 += 0xBB67AE85U;
    }
    return {{c0, c1, c2, c3}};
}

// The random key of a node, as a kernel's argument. The kernel reads the step's counter from device memory, so that a
// replayed graph gets the current one.
struct RandomKey {
    std::uint64_t seed = 0;
    std::uint64_t stream = 0;
    const sluice_step_scalars* scalars = nullptr;  // device memory

    // Call it on the device only.
    [[nodiscard]] constexpr sluice_random_key of_step() const { return {seed, stream, scalars->random_counter}; }
};

}  // namespace sluice::cudnn
