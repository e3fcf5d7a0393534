#include "wire.hpp"

#include <cstdint>

#include "sluice/half.h"

namespace sluice::multi_worker {

void narrow(std::span<float> values, std::vector<std::byte>& wire) {
    wire.resize(values.size() * sizeof(std::uint16_t));
    auto* const to = reinterpret_cast<std::uint16_t*>(wire.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
        to[i] = sluice_bfloat16_of_float(values[i]);
        values[i] = sluice_float_of_bfloat16(to[i]);
    }
}

void widen(std::span<const std::byte> wire, float* values) {
    const auto* const from = reinterpret_cast<const std::uint16_t*>(wire.data());
    for (std::size_t i = 0; i < wire.size() / sizeof(std::uint16_t); ++i) {
        values[i] = sluice_float_of_bfloat16(from[i]);
    }
}

}  // namespace sluice::multi_worker
