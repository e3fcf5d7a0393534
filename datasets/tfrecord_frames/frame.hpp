// The frame of a record: its length (8 bytes), a checksum of the length (4), the data, and a checksum of the data (4).
// Checksums are masked CRC32C. Numbers are little endian.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice::tfrecord_frames {

inline constexpr std::size_t kHead = 12;
inline constexpr std::size_t kFoot = 4;

// Returns the bytes before a record of `length` bytes.
std::array<std::uint8_t, kHead> head_of(std::uint64_t length);
// Returns the bytes after the record.
std::array<std::uint8_t, kFoot> foot_of(std::span<const std::uint8_t> record);

}  // namespace sluice::tfrecord_frames
