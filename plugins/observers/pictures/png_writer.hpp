// Encodes pictures as PNG files. Only this file uses libpng.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace sluice::observers {

// Returns the bytes of a PNG file. pixels: RGB, 8 bits, width * height * 3 bytes, rows from the top.
std::string png_of(std::span<const std::uint8_t> pixels, std::uint32_t width, std::uint32_t height);

}  // namespace sluice::observers
