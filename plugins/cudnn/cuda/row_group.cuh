// Neighbouring threads that work together on one row: threads of a warp if rows are short, else a block of kThreads.
#pragma once

#include <cmath>

#include "cuda/launch.cuh"
#include "cuda/numbers.cuh"
#include "cuda/reduce.cuh"

namespace sluice::cudnn {

// Returns the threads for a row, each with about four elements: a power of two up to a warp, or a block for more than
// 1024 elements.
inline unsigned threads_for_row(std::int64_t elements) {
    if (elements > 1024) {
        return kThreads;
    }
    unsigned threads = 1;
    while (threads < kWarp && threads * 4 < elements) {
        threads *= 2;
    }
    return threads;
}

// Returns the blocks for a kernel whose groups stride over rows.
inline unsigned blocks_for_rows(std::int64_t rows, unsigned threads_of_row) {
    return blocks_for(rows * threads_of_row);
}

struct LargerFloat {
    __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};

// All threads of a block must call its functions, even those that have no row.
class RowGroup {
public:
    // threads: from threads_for_row()
    __device__ explicit RowGroup(unsigned threads) : threads_(threads) {}

    [[nodiscard]] __device__ unsigned threads() const { return threads_; }
    [[nodiscard]] __device__ unsigned rank() const { return threadIdx.x % threads_; }   // in the group
    [[nodiscard]] __device__ unsigned index() const { return threadIdx.x / threads_; }  // of the group in the block
    [[nodiscard]] __device__ unsigned of_block() const { return kThreads / threads_; }  // groups
    // Every thread of the group gets the result.
    [[nodiscard]] __device__ float sum(float value) const { return fold(value, Add{}); }
    [[nodiscard]] __device__ float max(float value) const { return fold(value, LargerFloat{}); }

private:
    template <class Function>
    __device__ float fold(float value, Function function) const {
        value = fold_over_warp(value, function, threads_ < kWarp ? threads_ : kWarp);
        return threads_ <= kWarp ? value : fold_warps(value, function);
    }

    template <class Function>
    __device__ float fold_warps(float value, Function function) const {
        constexpr unsigned kWarps = kThreads / kWarp;
        __shared__ float shared[kWarps];
        __syncthreads();  // every thread has read the result of the previous call
        if (threadIdx.x % kWarp == 0) {
            shared[threadIdx.x / kWarp] = value;
        }
        __syncthreads();
        float result = shared[0];
        for (unsigned warp = 1; warp < kWarps; ++warp) {
            result = function(result, shared[warp]);
        }
        return result;
    }

    unsigned threads_;
};

// log(sum(exp(x))) of a row, without overflow, in two parts: the largest x, and log(sum(exp(x - largest))).
struct LogSum {
    float largest;
    float rest;
    [[nodiscard]] __device__ float value() const { return largest + rest; }
};

template <class T>
__device__ float largest_of_row(const RowGroup& group, const T* row, std::int64_t count) {
    float largest = to_float(row[group.rank()]);  // a group has no more threads than a row has elements
    for (std::int64_t i = group.rank() + group.threads(); i < count; i += group.threads()) {
        const float value = to_float(row[i]);
        largest = value > largest ? value : largest;
    }
    return group.max(largest);
}

// Returns the index of the largest element, the first of equal ones. NaN counts as the largest if it is the first
// element of the row, and else never.
__device__ inline std::int64_t highest_of_row(const RowGroup& group, const float* row, std::int64_t count) {
    std::int64_t found = 0;
    float highest = row[0];
    for (std::int64_t i = group.rank(); i < count; i += group.threads()) {
        if (row[i] > highest) {
            found = i;
            highest = row[i];
        }
    }
    const bool is_lower = highest < group.max(highest);
    const auto first = static_cast<float>(is_lower ? count : found);  // exact up to 2^24
    return static_cast<std::int64_t>(-group.max(-first));
}

template <class T>
__device__ LogSum log_sum_of_row(const RowGroup& group, const T* row, std::int64_t count) {
    const float largest = largest_of_row(group, row, count);
    float sum = 0.0F;
    for (std::int64_t i = group.rank(); i < count; i += group.threads()) {
        sum += std::exp(to_float(row[i]) - largest);
    }
    return {largest, std::log(group.sum(sum))};
}

}  // namespace sluice::cudnn
