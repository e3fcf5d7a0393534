// Converts values of 8 or 16 bits to float32, from 0 to 1.
#pragma once

#include <cstdint>

namespace sluice::transforms {

// Converts in place: `values` holds `count` packed values of `value_bytes` bytes (1, 2) and has room for as many
// floats.
void widen(std::uint8_t* values, std::int64_t count, std::int64_t value_bytes);

}  // namespace sluice::transforms
