// Parses the markers of a JPEG file before its data, to cut a part out of the file.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sample/picture.hpp"

namespace sluice::transforms {

inline constexpr std::uint8_t kFirstRestart = 0xD0;
inline constexpr std::uint8_t kEndOfImage = 0xD9;

// The start of each row of the smallest coded units (MCU). A row is divided into equal segments, each of which ends
// with a restart marker. In the file the index has a checksum: restart markers are numbered with only three bits, so a
// damaged index could point to wrong markers of the right number.
struct RestartIndex {
    std::int64_t interval = 0;        // units in a segment
    std::int64_t segments = 0;        // in a row
    std::vector<std::uint32_t> rows;  // start of each row; bytes from the first byte of the data
    bool checksum_fits = true;
};

// The markers of a file with baseline coding in one scan. Refers to the file's bytes.
struct JpegMarkers {
    std::span<const std::uint8_t> bytes;
    Extent extent;
    Extent unit;  // pixels of a coded unit
    std::int64_t restart_interval = 0;
    std::optional<RestartIndex> index;
    std::size_t data = 0;  // offset of the data after the scan header
};

// std::nullopt if the file is of another kind or damaged.
std::optional<JpegMarkers> read_markers(std::span<const std::uint8_t> file);

// Huffman codes: the number of codes of 1, 2, ... 16 bits, and the values of all codes in order.
struct HuffmanCodes {
    std::array<std::uint8_t, 16> counts{};
    std::span<const std::uint8_t> values;

    [[nodiscard]] bool operator==(const HuffmanCodes& other) const {
        return counts == other.counts && std::ranges::equal(values, other.values);
    }
};

// The coding of the file's data.
struct ScanCoding {
    struct Component {
        int blocks;  // in a coded unit
        HuffmanCodes dc;
        HuffmanCodes ac;
    };
    std::vector<Component> components;  // in the order of their blocks in a unit
};

// std::nullopt if the scan does not have all components, or lacks codes.
std::optional<ScanCoding> read_coding(const JpegMarkers& file);

// The markers before the data for a picture of another extent, without those that no decoder needs. `before_scan`:
// markers to add.
std::vector<std::uint8_t> head_for(const JpegMarkers& file, Extent extent,
                                   std::span<const std::uint8_t> before_scan = {});

// The file with this index added. It must not have an index yet.
std::vector<std::uint8_t> with_index(const JpegMarkers& file, const RestartIndex& index);

}  // namespace sluice::transforms
