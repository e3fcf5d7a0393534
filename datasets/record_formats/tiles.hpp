// Pictures, of values of any type, in tiles: row by row of tiles, each of them dense and followed by its checksum; the
// last ones of a row or column are as small as the picture leaves them.
#pragma once

#include <optional>

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
    // Tiles of one row, side by side.
    struct Strip {
        std::int64_t row = 0;
        std::int64_t first = 0;  // column
        std::int64_t end = 0;
        std::uint64_t offset = 0;  // in the file
        std::uint64_t bytes = 0;
    };
    // Those of a row that the area touches.
    [[nodiscard]] Strip strip(std::int64_t row, const Area& area, std::uint64_t offset) const;
    // What is wrong with the first tile that does not fit its checksum. bytes: the strip's.
    [[nodiscard]] std::optional<std::string> damage(const Strip& tiles, const std::uint8_t* bytes) const;
    void copy(const Strip& tiles, const std::uint8_t* bytes, const Area& area, std::uint8_t* to) const;
    // Bytes from the picture's first to the tile's.
    [[nodiscard]] std::uint64_t offset_of(std::int64_t row, std::int64_t column) const;
    [[nodiscard]] std::int64_t rows_of(std::int64_t row) const;
    [[nodiscard]] std::int64_t columns_of(std::int64_t column) const;

    std::int64_t height_;
    std::int64_t width_;
    std::int64_t pixel_bytes_;
    TileExtent tile_;
    std::int64_t tile_rows_;
    std::int64_t tile_columns_;
};

}  // namespace sluice::records
