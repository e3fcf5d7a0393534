// Opens a file for reading: a JPEG or PNG file as RGB, or a PNG file as a label map.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "codec/reader.hpp"

namespace sluice::transforms {

// The file's bytes have to outlive the reader. Throws SLUICE_BAD_SAMPLE for every error in the file.
// `deep`: keep 16 bits instead of scaling them to 8.
std::unique_ptr<PictureReader> open_picture(std::span<const std::uint8_t> file, bool deep = false);

// The same for a label map, with one channel: the values of a grey PNG file of at most 8 bits or of an RGB file with
// equal channels, or the indices of a file with a palette. Drops alpha. Rejects other files.
std::unique_ptr<PictureReader> open_label_map(std::span<const std::uint8_t> file);

}  // namespace sluice::transforms
