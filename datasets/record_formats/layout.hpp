// Sluice's own file format for samples, for random access:
//
//   head      64 bytes: magic, version, checksum
//   samples   each sample, and each field in it, begins at a multiple of 64 bytes
//   index     the fields; for each sample its offset, its name, the extents that differ per sample and checksums
//   manifest  a text: how the samples were made
//   tail      64 bytes: offsets of index and manifest, their checksums, its own checksum
//
// All numbers are little endian, and all checksums are XXH3 with 64 bits. A file is complete if and only if its tail
// is. Pictures may be stored in tiles, each followed by its checksum, so that a window can be read and checked
// separately.
#pragma once

#include <string>
#include <vector>

#include "bytes.hpp"

namespace sluice::records {

inline constexpr std::uint64_t kAlignment = 64;
inline constexpr std::uint64_t kHeadBytes = 64;
inline constexpr std::uint64_t kTailBytes = 64;
inline constexpr std::uint32_t kVersion = 1;
inline constexpr char kHeadMagic[9] = "\x89SLREC\r\n";
// A key of the manifest, if it is a JSON object: field name -> class names in the order of their numbers.
inline constexpr const char* kClassNames = "class_names";
inline constexpr char kTailMagic[9] = "\x89SLEND\r\n";

inline std::uint64_t aligned(std::uint64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

// In pixels; height 0: the field is not tiled.
struct TileExtent {
    std::int64_t height = 0;
    std::int64_t width = 0;
    bool operator==(const TileExtent&) const = default;
};

struct FieldLayout {
    std::string name;
    std::int32_t role = 0;      // SLUICE_FIELD_IMAGE ...
    sluice_tensor_spec spec{};  // -1 for a dimension that differs per sample
    TileExtent tile{};
    [[nodiscard]] bool is_tiled() const { return tile.height > 0; }
};

// The 8-byte words of a sample in the index: offset, the name's offset, the name's length, and for each field a
// checksum (0 if it is tiled) and the dimensions that differ.
struct EntryLayout {
    explicit EntryLayout(const std::vector<FieldLayout>& fields) {
        for (const FieldLayout& field : fields) {
            first_word.push_back(words);
            words += 1;
            for (std::int32_t i = 0; i < field.spec.rank; ++i) {
                words += field.spec.shape[i] < 0 ? 1 : 0;
            }
        }
    }
    static constexpr std::size_t kOffset = 0;
    static constexpr std::size_t kName = 1;
    static constexpr std::size_t kNameBytes = 2;
    std::size_t words = 3;
    std::vector<std::size_t> first_word{};  // for each field, the word with its checksum
};

}  // namespace sluice::records
