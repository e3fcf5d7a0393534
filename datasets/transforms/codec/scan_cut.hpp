// A window cut out of a JPEG file as it is, without decoding what lies beside it: its blocks are copied as they are
// coded, and those before them only counted, several coefficients at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "codec/restart_jpeg.hpp"

namespace sluice::transforms {

// Nothing where that would not be faster than to decode the rows, and where the file is coded in another way than one
// scan without restart markers, or is damaged as far as it was read.
std::optional<CutOut> cut_out_of_scan(std::span<const std::uint8_t> file, const Window& window);

}  // namespace sluice::transforms
