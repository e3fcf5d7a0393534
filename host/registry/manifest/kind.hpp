// The kinds of components.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "base/tensor.hpp"

namespace sluice::registry {

enum class Kind { device, layer, kernel, optimizer, source, transform, precision, strategy, observer };

// The names that manifests and messages use, in the order of Kind.
inline constexpr std::array<std::string_view, 9> kKindNames = {
    "device", "layer", "kernel", "optimizer", "source", "transform", "precision", "strategy", "observer"};

inline std::string_view to_string(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }
using sluice::to_string;  // the overloads for tensors, which the line above would hide

}  // namespace sluice::registry
