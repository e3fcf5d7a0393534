// Cuts a window out of a JPEG file without an index and without decoding what lies beside it. Blocks of the window are
// copied in coded form; blocks before them are skipped, several coefficients at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "codec/restart_window.hpp"

namespace sluice::transforms {

// std::nullopt if that is not faster than decoding the rows, if the file is not coded as one scan without restart
// markers, or if it is damaged in the part that was read.
std::optional<CutOut> cut_out_of_scan(std::span<const std::uint8_t> file, const Window& window);

}  // namespace sluice::transforms
