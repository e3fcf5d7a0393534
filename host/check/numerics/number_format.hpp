// Numbers of a tensor in float64, whatever the type that they are stored in.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/tensor.hpp"

namespace sluice::check {

using Numbers = std::vector<double>;

// Throws Error(Exit::plugin) for a type that checks do not know.
[[nodiscard]] std::vector<std::byte> encode(const sluice_tensor_spec& spec, const Numbers& numbers);
[[nodiscard]] Numbers decode(const sluice_tensor_spec& spec, std::span<const std::byte> bytes);

}  // namespace sluice::check
