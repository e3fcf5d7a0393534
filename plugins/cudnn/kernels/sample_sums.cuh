// Computes two sums over each sample, in an order that depends on shapes alone. A block sums a piece of a sample. If a
// sample has several pieces, a second launch adds their sums.
#pragma once

#include <algorithm>

#include "cuda/launch.cuh"
#include "cuda/numbers.cuh"
#include "cuda/reduce.cuh"
#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

struct SumPair {
    float sum;
    float weight;
};

// Returns the number of pieces per sample: enough to fill a GPU, each with at least `least` of the sample's `count`
// elements.
inline std::int64_t pieces_of(std::int64_t samples, std::int64_t count, std::int64_t least) {
    constexpr std::int64_t kBlocks = 132 * 8;
    return std::clamp<std::int64_t>(std::min(kBlocks / samples, count / least), 1, 1024);
}

// Returns the bytes for the pieces' sums [samples, pieces]; 0 if there is one piece per sample.
inline std::uint64_t partial_bytes(std::int64_t samples, std::int64_t pieces) {
    return pieces > 1 ? static_cast<std::uint64_t>(samples * pieces) * sizeof(SumPair) : 0;
}

// Writes the two sums to out [N, 2].
struct WriteSums {
    __device__ void operator()(float* out, double sum, double weight) const {
        out[0] = static_cast<float>(sum);
        out[1] = static_cast<float>(weight);
    }
};

// Ends a kernel with blockIdx.x = sample * pieces + piece: sums over the block and writes the result. All threads of
// the block must call it.
template <class Finish>
__device__ void put_piece(SumPair mine, std::int64_t pieces, SumPair* partial, float* out, const Finish& finish) {
    const float sum = sum_over_block<kThreads>(mine.sum);
    const float weight = sum_over_block<kThreads>(mine.weight);
    if (threadIdx.x != 0) {
        return;
    }
    if (pieces == 1) {
        finish(out + 2 * static_cast<std::int64_t>(blockIdx.x), sum, weight);
    } else {
        partial[blockIdx.x] = {sum, weight};
    }
}

template <class Finish>
__global__ void add_pieces_kernel(const SumPair* partial, std::int64_t pieces, float* out, Finish finish) {
    const SumPair* const mine = partial + blockIdx.x * pieces;
    double sum = 0.0;
    double weight = 0.0;
    for (std::int64_t i = threadIdx.x; i < pieces; i += kThreads) {
        sum += mine[i].sum;
        weight += mine[i].weight;
    }
    sum = sum_over_block<kThreads>(sum);
    weight = sum_over_block<kThreads>(weight);
    if (threadIdx.x == 0) {
        finish(out + 2 * static_cast<std::int64_t>(blockIdx.x), sum, weight);
    }
}

// Call this after the launch of a kernel that calls put_piece().
template <class Finish>
void add_pieces(void* stream, const SumPair* partial, std::int64_t samples, std::int64_t pieces, float* out,
                const Finish& finish) {
    if (pieces > 1) {
        launch(stream, static_cast<unsigned>(samples), kThreads, add_pieces_kernel<Finish>, partial, pieces, out,
               finish);
    }
}

}  // namespace sluice::cudnn
