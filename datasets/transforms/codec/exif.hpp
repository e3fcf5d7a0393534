// The one thing that is read from EXIF data: how the camera was held.
#pragma once

#include <cstdint>
#include <span>

#include "codec/orientation.hpp"

namespace sluice::transforms {

// From the APP1 segment of a JPEG file or the eXIf chunk of a PNG file; upright where there is none, or none that can
// be understood.
Orientation exif_orientation(std::span<const std::uint8_t> file);

}  // namespace sluice::transforms
