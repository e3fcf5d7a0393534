// Pictures, with values of any type, stored as tiles: row by row, each tile dense and followed by its checksum. The
// last tiles of a row or column may be smaller.
#pragma once

#include <optional>

#include "input_file.hpp"
#include "layout.hpp"

namespace sluice::records {

// Part of a picture, in pixels.
struct Area {
    std::int64_t top = 0;
    std::int64_t left = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
};

class TileGrid {
public:
    // `picture`: [height, width, channels] or [height, width].
    TileGrid(const sluice_tensor_spec& picture, TileExtent tile);

    [[nodiscard]] std::uint64_t stored_bytes() const;
    // pixels: the whole picture. Appends the tiles.
    void pack(const std::uint8_t* pixels, Bytes& to) const;
    // Reads and checks the tiles that the area touches. `offset`: the picture's first byte in the file; `to`: the area,
    // dense. Throws Damage with the file and the position.
    void read(const InputFile& file, std::uint64_t offset, const Area& area, std::uint8_t* to, Bytes& scratch) const;

private:
    // Consecutive tiles of one row.
    struct Strip {
        std::int64_t row = 0;
        std::int64_t first = 0;  // column
        std::int64_t end = 0;
        std::uint64_t offset = 0;  // in the file
        std::uint64_t bytes = 0;
    };
    // The tiles of a row that the area touches.
    [[nodiscard]] Strip strip(std::int64_t row, const Area& area, std::uint64_t offset) const;
    // The message about the first tile with a wrong checksum; std::nullopt: all are right. `bytes`: the strip's.
    [[nodiscard]] std::optional<std::string> damage(const Strip& tiles, const std::uint8_t* bytes) const;
    void copy(const Strip& tiles, const std::uint8_t* bytes, const Area& area, std::uint8_t* to) const;
    // Bytes from the beginning of the picture to the tile.
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
