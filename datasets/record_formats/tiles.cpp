#include "tiles.hpp"

#include <algorithm>

#include "hash.hpp"

namespace sluice::records {
namespace {

constexpr std::uint64_t kTileSum = 8;

std::uint64_t unsigned_of(std::int64_t number) { return static_cast<std::uint64_t>(number); }

}  // namespace

TileGrid::TileGrid(const sluice_tensor_spec& picture, TileExtent tile)
    : height_(picture.shape[0]),
      width_(picture.shape[1]),
      pixel_bytes_((picture.rank == 3 ? picture.shape[2] : 1) * picture.dtype.bits / 8),
      tile_(tile),
      tile_rows_((height_ + tile.height - 1) / tile.height),
      tile_columns_((width_ + tile.width - 1) / tile.width) {}

std::int64_t TileGrid::rows_of(std::int64_t row) const { return std::min(tile_.height, height_ - row * tile_.height); }

std::int64_t TileGrid::columns_of(std::int64_t column) const {
    return std::min(tile_.width, width_ - column * tile_.width);
}

std::uint64_t TileGrid::offset_of(std::int64_t row, std::int64_t column) const {
    const std::int64_t rows = row < tile_rows_ ? rows_of(row) : 0;
    const std::int64_t pixels = row * tile_.height * width_ + column * tile_.width * rows;
    return unsigned_of(std::min(pixels, height_ * width_) * pixel_bytes_) +
           unsigned_of(row * tile_columns_ + column) * kTileSum;
}

std::uint64_t TileGrid::stored_bytes() const { return offset_of(tile_rows_, 0); }

void TileGrid::pack(const std::uint8_t* pixels, Bytes& to) const {
    for (std::int64_t row = 0; row < tile_rows_; ++row) {
        for (std::int64_t column = 0; column < tile_columns_; ++column) {
            const std::size_t first = to.size();
            const std::int64_t bytes = columns_of(column) * pixel_bytes_;
            for (std::int64_t y = 0; y < rows_of(row); ++y) {
                const std::uint8_t* line =
                    pixels + ((row * tile_.height + y) * width_ + column * tile_.width) * pixel_bytes_;
                append(to, {line, static_cast<std::size_t>(bytes)});
            }
            append(to, hash_of(ByteSpan(to).subspan(first)));
        }
    }
}

TileGrid::Strip TileGrid::strip(std::int64_t row, const Area& area, std::uint64_t offset) const {
    const std::int64_t first = area.left / tile_.width;
    const std::int64_t end = (area.left + area.width - 1) / tile_.width + 1;
    // The strip ends at the edge of its last tile or of the picture.
    const std::int64_t pixels = (std::min(end * tile_.width, width_) - first * tile_.width) * rows_of(row);
    return {.row = row,
            .first = first,
            .end = end,
            .offset = offset + offset_of(row, first),
            .bytes = unsigned_of(pixels * pixel_bytes_) + unsigned_of(end - first) * kTileSum};
}

void TileGrid::read(const InputFile& file, std::uint64_t offset, const Area& area, std::uint8_t* to,
                    Bytes& scratch) const {
    const std::int64_t last = (area.top + area.height - 1) / tile_.height;
    for (std::int64_t row = area.top / tile_.height; row <= last; ++row) {
        const Strip tiles = strip(row, area, offset);
        if (scratch.size() < tiles.bytes) {
            scratch.resize(static_cast<std::size_t>(tiles.bytes));
        }
        const bool is_read = file.read_mapped(scratch.data(), tiles.bytes, tiles.offset);
        if (is_read && row < last) {
            const Strip next = strip(row + 1, area, offset);
            file.expect(next.bytes, next.offset);
        }
        if (!is_read || damage(tiles, scratch.data())) {
            file.read(scratch.data(), tiles.bytes, tiles.offset);
            if (const std::optional<std::string> found = damage(tiles, scratch.data())) {
                file.damaged(*found);
            }
        }
        copy(tiles, scratch.data(), area, to);
    }
}

std::optional<std::string> TileGrid::damage(const Strip& tiles, const std::uint8_t* bytes) const {
    const std::uint8_t* tile = bytes;
    for (std::int64_t column = tiles.first; column < tiles.end; ++column) {
        const ByteSpan held(tile, static_cast<std::size_t>(columns_of(column) * pixel_bytes_ * rows_of(tiles.row)));
        const auto found = load<std::uint64_t>(tile + held.size());
        if (const std::uint64_t right = hash_of(held); found != right) {
            return "the tile at byte " + std::to_string(tiles.offset + unsigned_of(tile - bytes)) +
                   " does not fit its checksum (the file says " + hexadecimal(found) + ", its bytes give " +
                   hexadecimal(right) + ")";
        }
        tile += held.size() + kTileSum;
    }
    return std::nullopt;
}

// Copies line by line of the area, so that writes are sequential.
void TileGrid::copy(const Strip& tiles, const std::uint8_t* bytes, const Area& area, std::uint8_t* to) const {
    const std::int64_t top = tiles.row * tile_.height;
    const std::int64_t rows = rows_of(tiles.row);
    for (std::int64_t y = std::max(area.top, top); y < std::min(area.top + area.height, top + rows); ++y) {
        const std::uint8_t* tile = bytes;
        std::uint8_t* target = to + (y - area.top) * area.width * pixel_bytes_;
        std::int64_t skipped = (area.left - tiles.first * tile_.width) * pixel_bytes_;
        std::int64_t rest = area.width * pixel_bytes_;
        for (std::int64_t column = tiles.first; column < tiles.end; ++column) {
            const std::int64_t line = columns_of(column) * pixel_bytes_;
            const std::int64_t part = std::min(line - skipped, rest);
            std::memcpy(target, tile + (y - top) * line + skipped, static_cast<std::size_t>(part));
            target += part;
            rest -= part;
            skipped = 0;
            tile += line * rows + static_cast<std::int64_t>(kTileSum);
        }
    }
}

}  // namespace sluice::records
