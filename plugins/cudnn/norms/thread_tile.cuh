// The place where a thread of a pass works (tiles.hpp), and its walk over its rows.
#pragma once

#include "cuda/launch.cuh"
#include "cuda/masks.cuh"
#include "norms/tiles.hpp"

namespace sluice::cudnn {

// The direction of a walk. The rows that one pass has read last are still in the cache when the next begins with them.
enum class Walk { up, down };

struct ThreadTile {
    __device__ ThreadTile(const Tiles& tiles, Walk walk) {
        const std::uint32_t slice = blockIdx.x / tiles.blocks % tiles.slices;
        block = blockIdx.x % tiles.blocks;
        sample = blockIdx.x / tiles.blocks / tiles.slices;
        tile_row = threadIdx.x / tiles.units;
        place = (slice * tiles.units + threadIdx.x % tiles.units) * kGroup;
        is_taken = place < tiles.width;
        packed = tiles.packed;

        const std::uint32_t first = block * tiles.chunk + tile_row;
        const std::uint32_t end = std::min((block + 1) * tiles.chunk, tiles.wide_rows());
        const std::uint32_t whole = tiles.whole_rows + (place + kGroup <= tiles.rest ? 1 : 0);
        const std::uint32_t limit = std::min(end, whole);
        rows = is_taken && first < limit ? (limit - first - 1) / tiles.tile_rows + 1 : 0;
        const std::uint32_t next = first + rows * tiles.tile_rows;
        left = is_taken && next < end && place < tiles.rest ? static_cast<int>(tiles.rest - place) : 0;

        const std::int64_t begin = std::int64_t{sample} * tiles.count + place;
        const std::int64_t row = walk == Walk::up || rows == 0 ? first : next - tiles.tile_rows;
        at = begin + row * tiles.width;
        left_at = begin + std::int64_t{next} * tiles.width;
        step = std::int64_t{tiles.tile_rows} * tiles.width * (walk == Walk::up ? 1 : -1);
    }

    std::uint32_t sample;
    std::uint32_t block;  // of the sample
    std::uint32_t tile_row;
    std::uint32_t place;  // of the first element in its wide row
    std::uint32_t rows;   // rows that have all eight elements
    int left;             // elements of one more row
    bool is_taken;        // false: the place is after the end of the wide row
    bool packed;
    std::int64_t at;  // the first element of the first row, in the whole tensor
    std::int64_t step;
    std::int64_t left_at;
};

// Eight neighbouring elements, or the first `count` of them. packed: they are at the address of a pack.
struct PartialPack {
    int count;
    bool packed;

    [[nodiscard]] __device__ bool is_pack() const { return packed && count == kGroup; }
};

// Missing elements are 0.
template <class T>
__device__ Pack<T, kGroup> load_partial(const T* from, PartialPack partial) {
    if (partial.is_pack()) {
        return load_pack<kGroup>(from);
    }
    Pack<T, kGroup> pack;
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        pack.values[k] = k < partial.count ? from[k] : from_float<T>(0.0F);
    }
    return pack;
}

// If `add`, adds to `to`.
template <class T>
__device__ void store_partial(T* to, PartialPack partial, bool add, const float (&values)[kGroup]) {
    Pack<T, kGroup> pack;
    if (add) {
        pack = load_partial(to, partial);
    }
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        pack.values[k] = from_float<T>(add ? to_float(pack.values[k]) + values[k] : values[k]);
    }
    if (partial.is_pack()) {
        store_pack(to, pack);
        return;
    }
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        if (k < partial.count) {
            to[k] = pack.values[k];
        }
    }
}

// Calls use(at, load(at, partial), partial) for all elements of the tile. Loads kAhead rows before it uses the first of
// them.
template <int kAhead, class Load, class Use>
__device__ void walk_rows(const ThreadTile& tile, const Load& load, const Use& use) {
    std::int64_t at = tile.at;
    std::uint32_t row = 0;
    for (; tile.packed && row + kAhead <= tile.rows; row += kAhead, at += kAhead * tile.step) {
        constexpr PartialPack kAll{kGroup, true};
        decltype(load(at, kAll)) loaded[kAhead];
#pragma unroll
        for (int i = 0; i < kAhead; ++i) {
            loaded[i] = load(at + i * tile.step, kAll);
        }
#pragma unroll
        for (int i = 0; i < kAhead; ++i) {
            use(at + i * tile.step, loaded[i], kAll);
        }
    }
    for (; row < tile.rows + (tile.left > 0 ? 1 : 0); ++row, at += tile.step) {
        const bool is_last = row == tile.rows;
        const PartialPack partial{is_last ? tile.left : kGroup, tile.packed};
        const std::int64_t from = is_last ? tile.left_at : at;
        use(from, load(from, partial), partial);
    }
}

// Loads the numbers of the tile's channels from a table [samples, channels].
__device__ inline void load_table(const Tiles& tiles, const ThreadTile& tile, const float* table, float (&to)[kGroup]) {
    const float* const from = table + std::size_t{tile.sample} * tiles.channels;
    std::uint32_t c = tile.place % tiles.channels;
    if (tiles.channels % kGroup == 0) {
        const Pack<float, kGroup> pack = load_pack<kGroup>(from + c);
#pragma unroll
        for (int k = 0; k < kGroup; ++k) {
            to[k] = pack.values[k];
        }
        return;
    }
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        to[k] = from[c];
        c = c + 1 == tiles.channels ? 0 : c + 1;
    }
}

// Computes two sums for each of the tile's places over the tile rows of its block, in a fixed order. Tile row 0 gets
// them. All threads of the block must call it.
__device__ inline void sum_over_tile(const Tiles& tiles, const ThreadTile& tile, float (&sums)[2][kGroup]) {
    __shared__ float shared[2 * kGroup * kThreads];
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        shared[2 * k * kThreads + threadIdx.x] = sums[0][k];
        shared[(2 * k + 1) * kThreads + threadIdx.x] = sums[1][k];
    }
    for (std::uint32_t rows = tiles.tile_rows; rows > 1; rows = (rows + 1) / 2) {
        __syncthreads();
        const unsigned other = threadIdx.x + (rows + 1) / 2 * tiles.units;
        if (tile.tile_row < rows / 2) {
#pragma unroll
            for (int k = 0; k < kGroup; ++k) {
                sums[0][k] += shared[2 * k * kThreads + other];
                sums[1][k] += shared[(2 * k + 1) * kThreads + other];
                shared[2 * k * kThreads + threadIdx.x] = sums[0][k];
                shared[(2 * k + 1) * kThreads + threadIdx.x] = sums[1][k];
            }
        }
    }
}

// to: [samples, blocks, 2, width]
__device__ inline void store_sums(const Tiles& tiles, const ThreadTile& tile, const float (&sums)[2][kGroup],
                                  float* to) {
    if (tile.tile_row == 0 && tile.is_taken) {
        float* const tile_sums =
            to + (std::size_t{tile.sample} * tiles.blocks + tile.block) * 2 * tiles.width + tile.place;
        store_partial(tile_sums, {kGroup, true}, false, sums[0]);
        store_partial(tile_sums + tiles.width, {kGroup, true}, false, sums[1]);
    }
}

}  // namespace sluice::cudnn
