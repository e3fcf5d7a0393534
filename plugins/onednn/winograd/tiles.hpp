// Between images [N, H, W, C] and the transformed tiles that a Winograd convolution multiplies.
#pragma once

#include <cstdint>

#include "conv/axis_map.hpp"
#include "conv/targets.hpp"

namespace sluice::onednn {

constexpr int kTilePoints = 6;                            // of each axis
constexpr int kTileProducts = kTilePoints * kTilePoints;  // matrices that are multiplied
constexpr int kTaps3 = 4;                                 // outputs of a tile along an axis, for 3 taps
constexpr int kTaps2 = 5;                                 // and for 2

// All tiles of a batch, image by image and row by row. A tile has outputs * outputs results, kTaps3 or kTaps2.
struct TileGrid {
    TileGrid(std::int64_t batch, std::int64_t height, std::int64_t width, int outputs);
    [[nodiscard]] std::int64_t count() const { return batch * rows * columns; }
    // How far maps reach: every position that a tile reads.
    [[nodiscard]] std::int64_t map_height() const { return rows * outputs + kTilePoints - outputs; }
    [[nodiscard]] std::int64_t map_width() const { return columns * outputs + kTilePoints - outputs; }

    std::int64_t batch;
    std::int64_t rows;
    std::int64_t columns;
    int outputs;
};

// An image as the tiles see it.
struct ImageView {
    ImageView(DataType type, std::int64_t height, std::int64_t width, std::int64_t channels, AxisMap rows,
              AxisMap columns);

    DataType type;  // of what is stored
    std::int64_t height;
    std::int64_t width;
    std::int64_t channels;
    AxisMap rows;
    AxisMap columns;
    std::vector<float> zeros;  // [channels], what lies outside, whatever the type
};

struct TileRange {
    std::int64_t begin;
    std::int64_t end;
};

// Where the transformed tiles of one range lie: [kTileProducts][width / panel][tiles][panel], the last panel narrower.
struct TileLayout {
    TileLayout(std::int64_t tiles, std::int64_t channels, std::int64_t panel);  // panel 0: one for all channels
    [[nodiscard]] std::uint64_t bytes() const { return static_cast<std::uint64_t>(kTileProducts * point_step) * 4; }
    [[nodiscard]] std::int64_t panels() const { return (width + panel - 1) / panel; }
    [[nodiscard]] std::int64_t panel_begin(std::int64_t index) const { return index * panel * tiles; }
    // The same places, for a range that begins `by` tiles later.
    [[nodiscard]] TileLayout shifted(std::int64_t by) const {
        TileLayout layout = *this;
        layout.first_tile += by;
        return layout;
    }
    [[nodiscard]] std::int64_t panel_width(std::int64_t index) const {
        return panel < width - index * panel ? panel : width - index * panel;
    }

    std::int64_t tiles;
    std::int64_t width;  // channels, filled up with zeros to whole vectors
    std::int64_t panel;
    std::int64_t point_step;
    std::int64_t first_tile = 0;
};

// The input of a convolution, B^T d B.
void transform_input(const TileGrid& grid, const ImageView& view, const void* image, TileRange range,
                     const TileLayout& layout, float* to);

// The gradient of its output, A d A^T. sums[C] += the sums of what was read, where sums is not null.
void transform_gradient(const TileGrid& grid, const ImageView& view, const void* gradient, TileRange range,
                        const TileLayout& layout, float* to, float* sums);

// Its output, A^T m A, from tiles of one panel.
void transform_output(const TileGrid& grid, const ImageView& view, const float* from, TileRange range,
                      const TileLayout& layout, const ImageTarget& output);

}  // namespace sluice::onednn
