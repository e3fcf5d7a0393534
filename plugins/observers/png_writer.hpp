// Pictures to PNG files, the only place that knows libpng.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace sluice::observers {

// The bytes of a file. pixels: RGB, 8 bits, width * height * 3 bytes, rows from the top.
std::string png_of(std::span<const std::uint8_t> pixels, std::uint32_t width, std::uint32_t height);

}  // namespace sluice::observers
