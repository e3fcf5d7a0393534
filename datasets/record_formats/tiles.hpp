// Pictures of uint8 in tiles: row by row of tiles, each of them dense and followed by its checksum; the last ones of a
// row or column are as small as the picture leaves them.
#pragma once

#include "input_file.hpp"
#include "layout.hpp"

namespace sluice::records {

// Of a picture, in pixels.
struct Area {
    std::int64_t top = 0;
    std::int64_t left = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
};

class TileGrid {
public:
    // A picture [height, width, channels] or [height, width].
    TileGrid(const sluice_tensor_spec& picture, TileExtent tile);

    [[nodiscard]] std::uint64_t stored_bytes() const;
    // pixels: the whole picture. Appends the tiles.
    void pack(const std::uint8_t* pixels, Bytes& to) const;
    // Reads the tiles that the area touches, from byte `offset` of the file on, and checks each. `to`: the area, dense.
    // Throws Damage with the file and the place.
    void read(const InputFile& file, std::uint64_t offset, const Area& area, std::uint8_t* to, Bytes& scratch) const;

private:
    // Bytes from the picture's first to the tile's.
    [[nodiscard]] std::uint64_t offset_of(std::int64_t row, std::int64_t column) const;
    [[nodiscard]] std::int64_t rows_of(std::int64_t row) const;
    [[nodiscard]] std::int64_t columns_of(std::int64_t column) const;

    std::int64_t height_;
    std::int64_t width_;
    std::int64_t channels_;
    TileExtent tile_;
    std::int64_t tile_rows_;
    std::int64_t tile_columns_;
};

}  // namespace sluice::records
