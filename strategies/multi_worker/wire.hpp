// Converts float32 to bfloat16, in which it is sent, and back.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sluice::multi_worker {

// Rounds the numbers to bfloat16 in place, and writes them to `wire`, two bytes each.
void narrow(std::span<float> values, std::vector<std::byte>& wire);
void widen(std::span<const std::byte> wire, float* values);

}  // namespace sluice::multi_worker
