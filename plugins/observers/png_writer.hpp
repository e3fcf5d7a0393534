// Pictures to PNG files, the only place that knows libpng.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace sluice::observers {

// pixels: RGB, 8 bits, width * height * 3 bytes, rows from the top. The file appears complete or not at all.
void write_png(const std::filesystem::path& path, std::span<const std::uint8_t> pixels, std::uint32_t width,
               std::uint32_t height);

}  // namespace sluice::observers
