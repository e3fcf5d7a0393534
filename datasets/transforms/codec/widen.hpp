// Values of 8 or 16 bits as float32, each as a share of the greatest.
#pragma once

#include <cstdint>

namespace sluice::transforms {

// In place: `count` values of `value_bytes` bytes (1, 2) lie dense where as many floats have room.
void widen(std::uint8_t* values, std::int64_t count, std::int64_t value_bytes);

}  // namespace sluice::transforms
