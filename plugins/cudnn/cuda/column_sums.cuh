// Sums the middle axis of [slices, rows, width] in float32, in an order that depends on the shape alone. A long axis is
// divided, and a second launch adds up the sums of its parts.
#pragma once

#include "cuda/launch.cuh"
#include "cuda/numbers.cuh"

namespace sluice::cudnn {

struct ColumnShape {
    ColumnShape(std::int64_t slice_count, std::int64_t row_count, std::int64_t row_width)
        : slices(static_cast<std::uint32_t>(slice_count)),
          rows(static_cast<std::uint32_t>(row_count)),
          width(static_cast<std::uint32_t>(row_width)) {}

    // Returns the number of parts of the rows, so that a GPU has enough blocks and a block has enough rows.
    [[nodiscard]] std::uint32_t splits() const {
        constexpr std::int64_t kBlocks = 132 * 4;
        constexpr std::int64_t kLeastRows = 128;
        const std::int64_t blocks = std::int64_t{slices} * ((width + 31) / 32);
        const std::int64_t wanted = std::min((kBlocks + blocks - 1) / blocks, rows / kLeastRows);
        return static_cast<std::uint32_t>(std::max<std::int64_t>(wanted, 1));
    }
    // Bytes of memory between the launches.
    [[nodiscard]] std::uint64_t workspace() const {
        return splits() == 1 ? 0 : std::uint64_t{slices} * splits() * width * sizeof(float);
    }

    std::uint32_t slices;
    std::uint32_t rows;
    std::uint32_t width;
};

// A term that adds the numbers of `from` as they are.
template <class T, int kSize>
struct PlainTerm {
    const T* from;
    ColumnShape shape;

    __device__ void add(float (&sums)[kSize], std::uint32_t slice, std::uint32_t row, std::uint32_t column) const {
        const Pack<T, kSize> in = load_pack<kSize>(from + (slice * shape.rows + row) * shape.width + column);
        for (int k = 0; k < kSize; ++k) {
            sums[k] += to_float(in.values[k]);
        }
    }
};

// Stores factor * sum in `to`, or adds it if `add`.
template <class T>
struct SumTarget {
    T* to;
    std::uint32_t width;
    float factor;
    bool add;

    template <int kSize>
    __device__ void put(std::uint32_t slice, std::uint32_t column, float (&sums)[kSize]) const {
        for (float& sum : sums) {
            sum *= factor;
        }
        put_pack(to + slice * width + column, sums, add);
    }
};

inline constexpr std::uint32_t kSumLanes = 8;  // packs of a row that a block sums: a cache line
inline constexpr std::uint32_t kSumRows = kThreads / kSumLanes;

// Sums shared[r][i] over r into shared[0][i]. All threads of the block must call it.
template <int kSize>
__device__ void sum_shared_rows(float (&shared)[kSumRows][kSumLanes * kSize], std::uint32_t row, std::uint32_t lane) {
    __syncthreads();
    for (std::uint32_t half = kSumRows / 2; half > 0; half /= 2) {
        if (row < half) {
            for (int k = 0; k < kSize; ++k) {
                shared[row][lane * kSize + k] += shared[row + half][lane * kSize + k];
            }
        }
        __syncthreads();
    }
}

// Block number (slice * splits + split) * groups + group sums part `split` of the rows; a group is kSumLanes packs.
// The target has splits times the slices of the shape.
template <int kSize, class Term, class T>
__global__ void column_sum_kernel(ColumnShape shape, std::uint32_t splits, Term term, SumTarget<T> target) {
    __shared__ float shared[kSumRows][kSumLanes * kSize];
    const std::uint32_t groups = (shape.width / kSize + kSumLanes - 1) / kSumLanes;
    const std::uint32_t lane = threadIdx.x % kSumLanes;
    const std::uint32_t row = threadIdx.x / kSumLanes;
    const std::uint32_t part = blockIdx.x / groups;
    const std::uint32_t column = (blockIdx.x % groups * kSumLanes + lane) * kSize;
    const std::uint32_t share = (shape.rows + splits - 1) / splits;
    const std::uint32_t begin = part % splits * share;
    const std::uint32_t end = begin + share < shape.rows ? begin + share : shape.rows;
    float sums[kSize] = {};
    if (column < shape.width) {
        for (std::uint32_t r = begin + row; r < end; r += kSumRows) {
            term.add(sums, part / splits, r, column);
        }
    }
    for (int k = 0; k < kSize; ++k) {
        shared[row][lane * kSize + k] = sums[k];
    }
    sum_shared_rows<kSize>(shared, row, lane);
    if (row == 0 && column < shape.width) {
        for (int k = 0; k < kSize; ++k) {
            sums[k] = shared[0][lane * kSize + k];
        }
        target.put(part, column, sums);
    }
}

template <int kSize, class Term, class T>
void launch_column_sums(void* stream, const ColumnShape& shape, std::uint32_t splits, const Term& term,
                        const SumTarget<T>& target) {
    const std::uint32_t groups = (shape.width / kSize + kSumLanes - 1) / kSumLanes;
    launch(stream, shape.slices * splits * groups, kThreads, column_sum_kernel<kSize, Term, T>, shape, splits, term,
           target);
}

// width is a multiple of kSize. workspace: of shape.workspace() bytes.
template <int kSize, class Term, class T>
void sum_columns(void* stream, const ColumnShape& shape, const Term& term, const SumTarget<T>& target,
                 void* workspace) {
    const std::uint32_t splits = shape.splits();
    if (splits == 1) {
        launch_column_sums<kSize>(stream, shape, 1, term, target);
        return;
    }
    auto* const parts = static_cast<float*>(workspace);
    launch_column_sums<kSize>(stream, shape, splits, term, SumTarget<float>{parts, shape.width, 1.0F, false});
    const ColumnShape rest(shape.slices, splits, shape.width);
    launch_column_sums<kSize>(stream, rest, 1, PlainTerm<float, kSize>{parts, rest}, target);
}

}  // namespace sluice::cudnn
