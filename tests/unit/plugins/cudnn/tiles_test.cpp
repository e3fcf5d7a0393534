// How passes of the CUDA plugin over [samples, rows, channels] are divided among blocks and threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "norms/tiles.hpp"

namespace {

using namespace sluice::cudnn;

constexpr std::int64_t kMostBlocks = 132 * 3;

const std::vector<Extents> kShapes{{1, 1, 1},     {1, 4096, 256}, {1, 262144, 64}, {64, 4096, 256}, {2, 35, 3},
                                   {1, 5475, 16}, {1, 15, 2064},  {1, 3, 5000},    {3, 1, 36},      {700, 9, 7},
                                   {1, 7, 8},     {1, 1000, 21},  {1, 1, 6240},    {1, 50176, 1000}};

TEST(CudnnTiles, have_each_element_once) {
    for (const Extents& shape : kShapes) {
        const Tiles tiles = make_tiles(shape, 4, kMostBlocks);
        std::uint64_t elements = 0;
        for (std::uint32_t block = 0; block < tiles.blocks; ++block) {
            for (std::uint32_t place = 0; place < tiles.width; ++place) {
                elements += tiles.rows_of(block, place);
            }
        }
        EXPECT_EQ(elements, tiles.count);
        EXPECT_EQ(tiles.count, shape.rows * shape.channels);
        EXPECT_EQ(tiles.rows(), shape.rows);
    }
}

TEST(CudnnTiles, keep_the_channels_of_a_place_from_row_to_row) {
    for (const Extents& shape : kShapes) {
        const Tiles tiles = make_tiles(shape, 4, kMostBlocks);
        EXPECT_EQ(tiles.width % 8, 0U);
        EXPECT_TRUE(tiles.wide_rows() == 1 || tiles.width % tiles.channels == 0);
        EXPECT_GE(tiles.repeats() * tiles.channels, tiles.width);
    }
}

TEST(CudnnTiles, leave_no_thread_and_no_block_without_a_place) {
    for (const Extents& shape : kShapes) {
        for (const std::int64_t least_rows : {1, 4}) {
            const Tiles tiles = make_tiles(shape, least_rows, kMostBlocks);
            EXPECT_GE(tiles.threads(), 1U);
            EXPECT_LE(tiles.threads(), 256U);
            EXPECT_GE(tiles.slices * tiles.units * 8, tiles.width);
            EXPECT_LT((tiles.slices - 1) * tiles.units * 8, tiles.width);
            EXPECT_LT((tiles.blocks - 1) * tiles.chunk, tiles.wide_rows());
            EXPECT_GE(tiles.blocks * tiles.chunk, tiles.wide_rows());
        }
    }
}

TEST(CudnnTiles, fill_a_large_gpu_with_one_picture) {
    const Tiles tiles = make_tiles({1, 64 * 64, 256}, 1, kMostBlocks);
    EXPECT_GE(tiles.grid(), 132U);
    EXPECT_EQ(tiles.threads(), 256U);
}

TEST(CudnnTiles, are_one_wave_of_blocks) {
    for (const Extents& shape : kShapes) {
        for (const std::int64_t most : {std::int64_t{132}, 2 * std::int64_t{132}, kMostBlocks}) {
            const Tiles tiles = make_tiles(shape, 1, most);
            EXPECT_LE(tiles.grid(), std::max<std::int64_t>(most, tiles.samples * tiles.slices));
        }
    }
    EXPECT_GE(make_tiles({1, 262144, 64}, 1, 2 * 132).grid(), 2U * 132U * 19 / 20);
}

}  // namespace
