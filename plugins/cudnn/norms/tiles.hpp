// How passes over a tensor [samples, rows, channels] are divided among threads.
//
// A thread takes eight neighbouring elements and keeps its channels from row to row. For that, the fewest rows that
// have a multiple of eight elements count as one wide row. The threads of a block form tile rows, each of which covers
// a slice of a wide row. A block takes a chunk of a sample's wide rows.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sluice::cudnn {

// Kernels take it by value. Indices of elements fit, because the provider refuses tensors of 2^31 elements.
struct Tiles {
    std::uint32_t samples;
    std::uint32_t channels;
    std::uint32_t count;       // elements of a sample
    std::uint32_t width;       // elements of a wide row: a multiple of 8
    std::uint32_t whole_rows;  // wide rows of a sample that have all their elements
    std::uint32_t rest;        // elements after them: one more, incomplete row
    std::uint32_t chunk;       // wide rows of a block
    std::uint32_t blocks;      // blocks that share a slice of a sample
    std::uint32_t slices;      // of a wide row
    std::uint32_t units;       // threads side by side in a block
    std::uint32_t tile_rows;   // threads of a block: units * tile_rows
    bool packed;               // each sample begins at a multiple of eight elements

    [[nodiscard]] constexpr std::uint32_t wide_rows() const { return whole_rows + (rest > 0 ? 1 : 0); }
    [[nodiscard]] constexpr std::uint32_t rows() const { return count / channels; }
    // Returns how often a channel may occur in a wide row: at place c, c + channels, and so on.
    [[nodiscard]] constexpr std::uint32_t repeats() const { return (width - 1) / channels + 1; }
    // Returns in how many wide rows of a block there is an element at that place.
    [[nodiscard]] constexpr std::uint32_t rows_of(std::uint32_t block, std::uint32_t place) const {
        const std::uint32_t all = whole_rows + (place < rest ? 1 : 0);
        const std::uint32_t begin = block * chunk;
        return all <= begin ? 0 : std::min(all - begin, chunk);
    }
    [[nodiscard]] constexpr std::uint32_t threads() const { return units * tile_rows; }
    [[nodiscard]] constexpr std::uint32_t grid() const { return samples * slices * blocks; }
    // Bytes of two sums for each block and place: [samples, blocks, 2, width], float32.
    [[nodiscard]] constexpr std::uint64_t sums_bytes() const {
        return 2 * sizeof(float) * width * std::uint64_t{samples} * blocks;
    }
};

// The least wide rows that a thread adds up.
inline constexpr std::int64_t kRowsSummed = 4;

struct Extents {
    std::int64_t samples;
    std::int64_t rows;
    std::int64_t channels;
};

// least_rows: the wide rows that a thread takes before there is a second block.
// most_blocks: the limit, which only the number of samples and slices of rows may exceed.
Tiles make_tiles(const Extents& extents, std::int64_t least_rows, std::int64_t most_blocks);

}  // namespace sluice::cudnn
