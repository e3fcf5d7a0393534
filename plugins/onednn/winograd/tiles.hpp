// Transforms between images [N, H, W, C] and the tiles that a Winograd convolution multiplies.
#pragma once

#include <cstdint>

#include "conv/axis_map.hpp"
#include "conv/targets.hpp"

namespace sluice::onednn {

constexpr int kTilePoints = 6;                            // of each axis
constexpr int kTileProducts = kTilePoints * kTilePoints;  // matrices that are multiplied
constexpr int kTaps3 = 4;                                 // outputs of a tile along an axis, for 3 taps
constexpr int kTaps2 = 5;                                 // and for 2

// All tiles of a batch, image by image and row by row. A tile has outputs * outputs results; `outputs` is kTaps3 or
// kTaps2.
struct TileGrid {
    TileGrid(std::int64_t batch, std::int64_t height, std::int64_t width, int outputs);
    [[nodiscard]] std::int64_t count() const { return batch * rows * columns; }
    // The length of axis maps, which cover every position that a tile reads.
    [[nodiscard]] std::int64_t map_height() const { return rows * outputs + kTilePoints - outputs; }
    [[nodiscard]] std::int64_t map_width() const { return columns * outputs + kTilePoints - outputs; }

    std::int64_t batch;
    std::int64_t rows;
    std::int64_t columns;
    int outputs;
};

// An image, with the axis maps by which tiles read or write it.
struct ImageView {
    ImageView(DataType type, std::int64_t height, std::int64_t width, std::int64_t channels, AxisMap rows,
              AxisMap columns);

    DataType type;  // as it is stored
    std::int64_t height;
    std::int64_t width;
    std::int64_t channels;
    AxisMap rows;
    AxisMap columns;
    std::vector<float> zeros;  // [channels], read outside of the image, whatever the type
};

struct TileRange {
    std::int64_t begin;
    std::int64_t end;
};

// The layout of the transformed tiles of one range: [kTileProducts][width / panel][tiles][panel], the last panel
// narrower.
struct TileLayout {
    TileLayout(std::int64_t tiles, std::int64_t channels, std::int64_t panel);  // panel 0: one for all channels
    [[nodiscard]] std::uint64_t bytes() const { return static_cast<std::uint64_t>(kTileProducts * point_step) * 4; }
    [[nodiscard]] std::int64_t panels() const { return (width + panel - 1) / panel; }
    [[nodiscard]] std::int64_t panel_begin(std::int64_t index) const { return index * panel * tiles; }
    // Returns the same layout, for a range that begins `by` tiles later.
    [[nodiscard]] TileLayout shifted(std::int64_t by) const {
        TileLayout layout = *this;
        layout.first_tile += by;
        return layout;
    }
    [[nodiscard]] std::int64_t panel_width(std::int64_t index) const {
        return panel < width - index * panel ? panel : width - index * panel;
    }

    std::int64_t tiles;
    std::int64_t width;  // channels, padded with zeros to whole vectors
    std::int64_t panel;
    std::int64_t point_step;
    std::int64_t first_tile = 0;
};

// Transforms the input of a convolution: B^T d B.
void transform_input(const TileGrid& grid, const ImageView& view, const void* image, TileRange range,
                     const TileLayout& layout, float* to);

// Transforms the gradient of its output: A d A^T. sums[C] += the sums of the gradient; null: not wanted.
void transform_gradient(const TileGrid& grid, const ImageView& view, const void* gradient, TileRange range,
                        const TileLayout& layout, float* to, float* sums);

// Computes its output, A^T m A, from tiles of one panel.
void transform_output(const TileGrid& grid, const ImageView& view, const float* from, TileRange range,
                      const TileLayout& layout, const ImageTarget& output);

}  // namespace sluice::onednn
