// Reads the orientation from EXIF data, and nothing else.
#pragma once

#include <cstdint>
#include <span>

#include "codec/orientation.hpp"

namespace sluice::transforms {

// Reads the APP1 segment of a JPEG file or the eXIf chunk of a PNG file. Returns upright if there is none, or if it is
// invalid.
Orientation exif_orientation(std::span<const std::uint8_t> file);

}  // namespace sluice::transforms
