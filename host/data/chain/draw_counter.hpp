// Which draw of a random key is which.
#pragma once

#include <cstdint>

#include "base/random.hpp"

namespace sluice::data {

// Of sample, or batch, `number` of an epoch. More of them than an epoch's share of the counter do not exist. `repeat`:
// of the times that a sample comes in the epoch; those behind 0 are anywhere, because there is no room for as many.
inline std::uint64_t draw_counter(std::uint64_t epoch, std::uint64_t number, std::uint64_t repeat = 0) {
    constexpr std::uint64_t kEpochStride = std::uint64_t{1} << 40;
    return repeat == 0 ? epoch * kEpochStride + number
                       : random_bits({epoch, stable_hash("data.repeat"), number}, repeat);
}

}  // namespace sluice::data
