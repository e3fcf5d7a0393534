// Reads the class number in a field.
#pragma once

#include <cstdint>

#include "sluice/tensor.h"

namespace sluice::transforms {

inline std::int64_t class_number(const sluice_tensor& field) {
    const auto* const bytes = static_cast<const std::uint8_t*>(field.data) + field.byte_offset;
    return *reinterpret_cast<const std::int64_t*>(bytes);
}

}  // namespace sluice::transforms
