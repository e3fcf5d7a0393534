// Converts the elements of a tensor, stored in any type, from and to float64.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/tensor.hpp"

namespace sluice::check {

using Numbers = std::vector<double>;

// Both throw Error(Exit::plugin) for a type that checks do not support.
[[nodiscard]] std::vector<std::byte> encode(const sluice_tensor_spec& spec, const Numbers& numbers);
[[nodiscard]] Numbers decode(const sluice_tensor_spec& spec, std::span<const std::byte> bytes);

}  // namespace sluice::check
