// CRC-32 with Castagnoli's polynomial, as TFRecord files use it.
#pragma once

#include <cstdint>
#include <span>

namespace sluice::tfrecord_frames {

std::uint32_t crc32c(std::span<const std::uint8_t> bytes);

// The stored form: rotated and shifted, so that a CRC over data that contains CRCs is no special case.
std::uint32_t masked_crc32c(std::span<const std::uint8_t> bytes);

}  // namespace sluice::tfrecord_frames
