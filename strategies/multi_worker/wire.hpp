// float32 that travels as bfloat16.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sluice::multi_worker {

// Rounds the numbers to what bfloat16 can hold, in place, and puts them so into `wire`, two bytes each.
void narrow(std::span<float> values, std::vector<std::byte>& wire);
void widen(std::span<const std::byte> wire, float* values);

}  // namespace sluice::multi_worker
