// The counter of random keys.
#pragma once

#include <cstdint>

#include "base/random.hpp"

namespace sluice::data {

// The counter for sample (or batch) `number` of an epoch. An epoch has 2^40 counters, more than it has samples.
// `repeat`: the occurrence of the sample in the epoch. Repeats from 1 on get a hashed counter, because the range of an
// epoch has no room for them.
inline std::uint64_t draw_counter(std::uint64_t epoch, std::uint64_t number, std::uint64_t repeat = 0) {
    constexpr std::uint64_t kEpochStride = std::uint64_t{1} << 40;
    return repeat == 0 ? epoch * kEpochStride + number
                       : random_bits({epoch, stable_hash("data.repeat"), number}, repeat);
}

}  // namespace sluice::data
