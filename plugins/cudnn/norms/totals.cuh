// What the small launches between two passes share: they add up the sums that the blocks of a pass left, in float64.
#pragma once

#include "cuda/launch.cuh"
#include "norms/tiles.hpp"

namespace sluice::cudnn {

// A block adds up kLanes neighbouring channels, each with kThreads / kLanes threads.
inline constexpr unsigned kLanes = 8;
inline constexpr unsigned kShares = kThreads / kLanes;

inline unsigned lane_blocks(const Tiles& tiles) { return (tiles.channels + kLanes - 1) / kLanes; }

// use(pair, rows, sample): each pair of sums of a channel, pair[0] and pair[width], and the rows that it is of. Of all
// of them the thread takes the share of its lane.
template <class Use>
__device__ void for_sums(const Tiles& tiles, const float* sums, std::uint32_t channel, const Use& use) {
    const std::uint32_t repeats = tiles.repeats();
    for (std::uint32_t i = threadIdx.x / kLanes; i < tiles.samples * tiles.blocks * repeats; i += kShares) {
        const std::uint32_t place = channel + i % repeats * tiles.channels;
        const std::uint32_t row = i / repeats;  // of [samples, blocks]
        if (place < tiles.width) {
            use(sums + std::size_t{row} * 2 * tiles.width + place, tiles.rows_of(row % tiles.blocks, place),
                row / tiles.blocks);
        }
    }
}

// Over the threads of a lane; all get the sums.
__device__ inline void sum_over_shares(double (&sums)[2]) {
    __shared__ double shared[2][kThreads];
    shared[0][threadIdx.x] = sums[0];
    shared[1][threadIdx.x] = sums[1];
    for (unsigned shares = kShares / 2; shares > 0; shares /= 2) {
        __syncthreads();
        if (threadIdx.x < shares * kLanes) {
            shared[0][threadIdx.x] += shared[0][threadIdx.x + shares * kLanes];
            shared[1][threadIdx.x] += shared[1][threadIdx.x + shares * kLanes];
        }
    }
    __syncthreads();
    sums[0] = shared[0][threadIdx.x % kLanes];
    sums[1] = shared[1][threadIdx.x % kLanes];
}

__device__ inline void put(float* to, std::uint32_t at, bool add, double value) {
    if (to != nullptr) {
        to[at] = static_cast<float>(add ? to[at] + value : value);
    }
}

}  // namespace sluice::cudnn
