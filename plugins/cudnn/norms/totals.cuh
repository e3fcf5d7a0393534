// The common part of the small launches between two passes. They add up, in float64, the sums of a pass's blocks.
#pragma once

#include "cuda/launch.cuh"
#include "norms/tiles.hpp"

namespace sluice::cudnn {

// A block adds up kLanes neighbouring channels, each with kThreads / kLanes threads.
inline constexpr unsigned kLanes = 8;
inline constexpr unsigned kShares = kThreads / kLanes;

inline unsigned lane_blocks(const Tiles& tiles) { return (tiles.channels + kLanes - 1) / kLanes; }

// Two sums of a channel from one block, and the rows and the sample that they cover.
struct PairOfSums {
    float first;
    float second;
    std::uint32_t rows;
    std::uint32_t sample;
    bool exists;
};

// Returns number i of a channel's pairs [samples, blocks, repeats].
__device__ inline PairOfSums load_pair(const Tiles& tiles, const float* sums, std::uint32_t channel, std::uint32_t i) {
    const std::uint32_t repeats = tiles.repeats();
    const std::uint32_t row = repeats == 1 ? i : i / repeats;
    const std::uint32_t place = channel + (i - row * repeats) * tiles.channels;
    if (row >= tiles.samples * tiles.blocks || place >= tiles.width) {
        return {};
    }
    const std::uint32_t sample = tiles.samples == 1 ? 0 : row / tiles.blocks;
    const float* const from = sums + std::size_t{row} * 2 * tiles.width + place;
    return {from[0], from[tiles.width], tiles.rows_of(row - sample * tiles.blocks, place), sample, true};
}

// Calls use(pair) for the thread's share of a channel's pairs. Several are loaded before the first of them is used.
template <class Use>
__device__ void for_sums(const Tiles& tiles, const float* sums, std::uint32_t channel, const Use& use) {
    constexpr unsigned kAhead = 4;
    const std::uint32_t all = tiles.samples * tiles.blocks * tiles.repeats();
    for (std::uint32_t i = threadIdx.x / kLanes; i < all; i += kAhead * kShares) {
        PairOfSums pairs[kAhead];
#pragma unroll
        for (unsigned k = 0; k < kAhead; ++k) {
            pairs[k] = load_pair(tiles, sums, channel, i + k * kShares);
        }
#pragma unroll
        for (unsigned k = 0; k < kAhead; ++k) {
            if (pairs[k].exists) {
                use(pairs[k]);
            }
        }
    }
}

// Sums over the threads of a lane; all of them get the result.
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
