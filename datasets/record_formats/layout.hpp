// Our own file of samples, for random access:
//
//   head      64 bytes: magic, version, checksum
//   samples   each from a multiple of 64 bytes on; in it each field from a multiple of 64 bytes on
//   index     the fields, and of each sample its place, its name, the extents that differ per sample and checksums
//   manifest  a text: how the samples were made
//   tail      64 bytes: where index and manifest are, their checksums, its own
//
// All numbers are little endian, all checksums XXH3 of 64 bits. A file is whole if and only if its tail is. Pictures
// may be stored in tiles, each followed by its checksum, so that a window of them is read and checked alone.
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
// In the manifest, where it is a JSON object: for the name of a field, the names of its classes by their numbers.
inline constexpr const char* kClassNames = "class_names";
inline constexpr char kTailMagic[9] = "\x89SLEND\r\n";

inline std::uint64_t aligned(std::uint64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

// In pixels; height 0: the field is stored as it is.
struct TileExtent {
    std::int64_t height = 0;
    std::int64_t width = 0;
    bool operator==(const TileExtent&) const = default;
};

struct FieldLayout {
    std::string name;
    std::int32_t role = 0;      // SLUICE_FIELD_IMAGE ...
    sluice_tensor_spec spec{};  // -1 where a dimension differs per sample
    TileExtent tile{};
    [[nodiscard]] bool is_tiled() const { return tile.height > 0; }
};

// Words of 8 bytes that the index has for each sample: place, name's place, name's length, and for each field a
// checksum (0 where it is tiled) and the dimensions that differ.
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
    std::vector<std::size_t> first_word{};  // of each field: its checksum
};

}  // namespace sluice::records
