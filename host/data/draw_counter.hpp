// Which draw of a random key is which.
#pragma once

#include <cstdint>

namespace sluice::data {

// Of sample, or batch, `number` of an epoch. More of them than an epoch's share of the counter do not exist.
constexpr std::uint64_t draw_counter(std::uint64_t epoch, std::uint64_t number) {
    constexpr std::uint64_t kEpochStride = std::uint64_t{1} << 40;
    return epoch * kEpochStride + number;
}

}  // namespace sluice::data
