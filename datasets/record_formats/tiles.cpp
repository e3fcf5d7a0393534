#include "tiles.hpp"

#include <algorithm>

#include "hash.hpp"

namespace sluice::records {
namespace {

constexpr std::uint64_t kSum = 8;

std::uint64_t unsigned_of(std::int64_t number) { return static_cast<std::uint64_t>(number); }

}  // namespace

TileGrid::TileGrid(const sluice_tensor_spec& picture, TileExtent tile)
    : height_(picture.shape[0]),
      width_(picture.shape[1]),
      channels_(picture.rank == 3 ? picture.shape[2] : 1),
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
    return unsigned_of(std::min(pixels, height_ * width_) * channels_) +
           unsigned_of(row * tile_columns_ + column) * kSum;
}

std::uint64_t TileGrid::stored_bytes() const { return offset_of(tile_rows_, 0); }

void TileGrid::pack(const std::uint8_t* pixels, Bytes& to) const {
    for (std::int64_t row = 0; row < tile_rows_; ++row) {
        for (std::int64_t column = 0; column < tile_columns_; ++column) {
            const std::size_t first = to.size();
            const std::int64_t bytes = columns_of(column) * channels_;
            for (std::int64_t y = 0; y < rows_of(row); ++y) {
                const std::uint8_t* line =
                    pixels + ((row * tile_.height + y) * width_ + column * tile_.width) * channels_;
                append(to, {line, static_cast<std::size_t>(bytes)});
            }
            append(to, hash_of(ByteSpan(to).subspan(first)));
        }
    }
}

void TileGrid::read(const InputFile& file, std::uint64_t offset, const Area& area, std::uint8_t* to,
                    Bytes& scratch) const {
    const std::int64_t first = area.left / tile_.width;
    const std::int64_t end = (area.left + area.width - 1) / tile_.width + 1;
    for (std::int64_t row = area.top / tile_.height; row * tile_.height < area.top + area.height; ++row) {
        const std::uint64_t from = offset_of(row, first);
        const std::int64_t rows = rows_of(row);
        // The row's last tile ends where a further one would begin, or the row's pixels do.
        const std::int64_t pixels = (std::min(end * tile_.width, width_) - first * tile_.width) * rows;
        const std::uint64_t bytes = unsigned_of(pixels * channels_) + unsigned_of(end - first) * kSum;
        if (scratch.size() < bytes) {
            scratch.resize(static_cast<std::size_t>(bytes));
        }
        file.read(scratch.data(), bytes, offset + from);
        const std::int64_t top = std::max(area.top, row * tile_.height);
        const std::int64_t bottom = std::min(area.top + area.height, row * tile_.height + rows);
        const std::uint8_t* tile = scratch.data();
        for (std::int64_t column = first; column < end; ++column) {
            const std::int64_t line = columns_of(column) * channels_;
            const ByteSpan held(tile, static_cast<std::size_t>(line * rows));
            const auto found = load<std::uint64_t>(tile + held.size());
            if (const std::uint64_t right = hash_of(held); found != right) {
                file.damaged("the tile at byte " + std::to_string(offset + offset_of(row, column)) +
                             " does not fit its checksum (the file says " + hexadecimal(found) + ", its bytes give " +
                             hexadecimal(right) + ")");
            }
            const std::int64_t left = std::max(area.left, column * tile_.width);
            const std::int64_t right = std::min(area.left + area.width, (column + 1) * tile_.width);
            const std::uint8_t* source =
                tile + (top - row * tile_.height) * line + (left - column * tile_.width) * channels_;
            std::uint8_t* target = to + ((top - area.top) * area.width + left - area.left) * channels_;
            for (std::int64_t y = top; y < bottom; ++y, source += line, target += area.width * channels_) {
                std::memcpy(target, source, static_cast<std::size_t>((right - left) * channels_));
            }
            tile += held.size() + kSum;
        }
    }
}

}  // namespace sluice::records
