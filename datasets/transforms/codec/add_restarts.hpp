// Adds restart markers and an index of them to JPEG files; see codec/restart_window.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::transforms {

// Re-encodes the coefficients without loss, and keeps every other marker. Returns the file unchanged if it cannot be
// re-encoded this way. Throws SLUICE_BAD_SAMPLE if the file is damaged.
std::vector<std::uint8_t> add_restarts(std::span<const std::uint8_t> file);

}  // namespace sluice::transforms
