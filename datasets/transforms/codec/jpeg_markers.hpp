// The markers of a JPEG file before its data, as far as a part of it is cut out by them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "picture.hpp"

namespace sluice::transforms {

inline constexpr std::uint8_t kFirstRestart = 0xD0;
inline constexpr std::uint8_t kEndOfImage = 0xD9;

// Where each row of the smallest coded units (MCU) begins. A row is divided into equal segments, each ended by a
// restart marker. In a file a checksum follows it: markers are numbered by three bits alone, and a damaged index may
// still name places behind markers of the right number.
struct RestartIndex {
    std::int64_t interval = 0;        // units in a segment
    std::int64_t segments = 0;        // in a row
    std::vector<std::uint32_t> rows;  // bytes from the first byte of the data
    bool checksum_fits = true;
};

// Borrows the file. Of one with baseline coding in one scan.
struct JpegMarkers {
    std::span<const std::uint8_t> bytes;
    Extent extent;
    Extent unit;  // pixels of a coded unit
    std::int64_t restart_interval = 0;
    std::optional<RestartIndex> index;
    std::size_t data = 0;  // behind the head of the scan
};

// Nothing where the file is of another kind, or broken.
std::optional<JpegMarkers> read_markers(std::span<const std::uint8_t> file);

// Codes of increasing length: so many of 1, 2, ... 16 bits, and what they stand for.
struct HuffmanCodes {
    std::array<std::uint8_t, 16> counts{};
    std::span<const std::uint8_t> values;

    [[nodiscard]] bool operator==(const HuffmanCodes& other) const {
        return counts == other.counts && std::ranges::equal(values, other.values);
    }
};

// How the data of the file are coded.
struct ScanCoding {
    struct Component {
        int blocks;  // in a coded unit
        HuffmanCodes dc;
        HuffmanCodes ac;
    };
    std::vector<Component> components;  // in the order of their blocks
};

// Nothing where the scan has not all components, or lacks codes.
std::optional<ScanCoding> read_coding(const JpegMarkers& file);

// What stands before the data, for a picture of another extent; without what no decoder needs. `before_scan`: more
// markers.
std::vector<std::uint8_t> head_for(const JpegMarkers& file, Extent extent,
                                   std::span<const std::uint8_t> before_scan = {});

// The file, of which read_markers() knows no index, with this one.
std::vector<std::uint8_t> with_index(const JpegMarkers& file, const RestartIndex& index);

}  // namespace sluice::transforms
