#include "norms/batch_totals.hpp"

#include <cmath>

#include "norms/totals.cuh"

namespace sluice::cudnn {
namespace {

__device__ inline float mixed(double momentum, float running, double batch) {
    return static_cast<float>(momentum * running + (1.0 - momentum) * batch);
}

// Writes channel c of the joint sums, which the replicas all-reduce.
__device__ inline void write_joint(std::uint32_t channels, std::uint32_t c, double count, double first, double second,
                                   double* to) {
    to[c] = first;
    to[channels + c] = second;
    if (c == 0) {
        to[2 * channels] = count;
    }
}

// squares: the sum of squared distances from the mean.
__device__ void write_tables(std::uint32_t c, double count, double mean, double squares, const BatchNumbers& numbers,
                             const BatchTables& to) {
    const double inverse = 1.0 / std::sqrt(squares / count + numbers.epsilon);
    const double factor = numbers.gamma[c] * inverse;
    to.factor[c] = static_cast<float>(factor);
    to.shift[c] = static_cast<float>(numbers.beta[c] - mean * factor);
    to.mean[c] = static_cast<float>(mean);
    to.inverse[c] = static_cast<float>(inverse);
    // A single value has no unbiased variance; it counts as 0.
    const double unbiased = squares / std::max(count - 1.0, 1.0);
    const double bias = numbers.bias == nullptr ? 0.0 : numbers.bias[c];
    numbers.running_mean[c] = mixed(numbers.momentum, numbers.running_mean[c], mean + bias);
    numbers.running_variance[c] = mixed(numbers.momentum, numbers.running_variance[c], unbiased);
}

struct WriteTables {
    BatchNumbers numbers;
    BatchTables to;

    __device__ void operator()(std::uint32_t c, double count, double mean, double squares) const {
        write_tables(c, count, mean, squares, numbers, to);
    }
};

// Like sdk::join_moments(): squares of distances from 0 keep enough digits in float64.
struct WriteJoint {
    std::uint32_t channels;
    double* to;

    __device__ void operator()(std::uint32_t c, double count, double mean, double squares) const {
        write_joint(channels, c, count, count * mean, squares + count * mean * mean, to);
    }
};

// Calls write(channel, rows, mean, sum of squared distances from it). Distances of block means are taken from the first
// block's mean, so that their squares keep their digits.
template <class Write>
__global__ void moments_kernel(Tiles tiles, const float* moments, Write write) {
    const std::uint32_t c = blockIdx.x * kLanes + threadIdx.x % kLanes;
    const bool is_channel = c < tiles.channels;
    const double pivot = is_channel ? moments[c] : 0.0;
    double sums[2] = {};  // of distances from the pivot and of their squares
    if (is_channel) {
        for_sums(tiles, moments, c, [&](const PairOfSums& pair) {
            const double distance = pair.rows > 0 ? pair.first - pivot : 0.0;
            sums[0] += pair.rows * distance;
            sums[1] += pair.second + pair.rows * distance * distance;
        });
    }
    sum_over_shares(sums);
    if (!is_channel || threadIdx.x >= kLanes) {
        return;
    }
    const double count = tiles.rows();
    const double mean = pivot + sums[0] / count;
    const double squares = std::max(sums[1] - sums[0] * sums[0] / count, 0.0);
    write(c, count, mean, squares);
}

__device__ inline double rows_of(const Tiles& tiles, const float*) { return tiles.rows(); }
__device__ inline double rows_of(const Tiles& tiles, const double* joint) { return joint[2 * tiles.channels]; }

// If the mean is 2^k deviations, float32 sums of squared distances from 0 give a variance with a relative error of
// about 2^(2k - 24). Rounding the numbers to float16 has already changed the variance by as much.
template <class Sum>
__global__ void tables_of_sums_kernel(Tiles tiles, const Sum* sums, BatchNumbers numbers, BatchTables to) {
    const double count = rows_of(tiles, sums);
    for (auto c = static_cast<std::uint32_t>(first_index()); c < tiles.channels; c += index_stride()) {
        const double mean = sums[c] / count;
        const double squares = std::max(sums[tiles.channels + c] - sums[c] * mean, 0.0);
        write_tables(c, count, mean, squares, numbers, to);
    }
}

__global__ void joint_sums_kernel(Tiles tiles, const float* sums, double* to) {
    for (auto c = static_cast<std::uint32_t>(first_index()); c < tiles.channels; c += index_stride()) {
        write_joint(tiles.channels, c, tiles.rows(), sums[c], sums[tiles.channels + c], to);
    }
}

__global__ void running_tables_kernel(Tiles tiles, BatchNumbers numbers, BatchTables to) {
    for (std::int64_t c = first_index(); c < tiles.channels; c += index_stride()) {
        const double factor = numbers.gamma[c] / std::sqrt(numbers.running_variance[c] + numbers.epsilon);
        to.factor[c] = static_cast<float>(factor);
        to.shift[c] = static_cast<float>(numbers.beta[c] - numbers.running_mean[c] * factor);
    }
}

// With n rows the gradient of x is
// factor * (g - sum(g) / n - (x - mean) * inverse^2 * sum(g * (x - mean)) / n).
__device__ void write_input_tables(std::uint32_t c, double count, double sum, double product, const BatchTables& tables,
                                   const InputTables& to) {
    const double inverse = tables.inverse[c];
    const double share = tables.factor[c] / count;
    const double slope = -share * inverse * inverse * product;
    to.slope[c] = static_cast<float>(slope);
    to.offset[c] = static_cast<float>(-share * sum - slope * tables.mean[c]);
}

__global__ void batch_gradients_kernel(Tiles tiles, const float* sums, BatchTables tables, BatchGradients to) {
    const std::uint32_t c = blockIdx.x * kLanes + threadIdx.x % kLanes;
    const bool is_channel = c < tiles.channels;
    double totals[2] = {};
    if (is_channel) {
        for_sums(tiles, sums, c, [&](const PairOfSums& pair) {
            totals[0] += pair.first;
            totals[1] += pair.second;
        });
    }
    sum_over_shares(totals);
    if (!is_channel || threadIdx.x >= kLanes) {
        return;
    }
    put(to.gamma, c, to.adds, totals[1] * tables.inverse[c]);
    put(to.beta, c, to.adds, totals[0]);
    put(to.bias, c, to.adds, 0.0);
    if (to.joint != nullptr) {
        write_joint(tiles.channels, c, tiles.rows(), totals[0], totals[1], to.joint);
    } else if (to.input.slope != nullptr) {
        write_input_tables(c, tiles.rows(), totals[0], totals[1], tables, to.input);
    }
}

__global__ void input_tables_kernel(Tiles tiles, const double* joint, BatchTables tables, InputTables to) {
    for (auto c = static_cast<std::uint32_t>(first_index()); c < tiles.channels; c += index_stride()) {
        write_input_tables(c, rows_of(tiles, joint), joint[c], joint[tiles.channels + c], tables, to);
    }
}

}  // namespace

void launch_batch_tables(void* stream, const Tiles& tiles, const float* moments, const BatchNumbers& numbers,
                         const BatchTables& to) {
    launch(stream, lane_blocks(tiles), kThreads, moments_kernel<WriteTables>, tiles, moments, WriteTables{numbers, to});
}

void launch_joint_moments(void* stream, const Tiles& tiles, const float* moments, double* joint) {
    launch(stream, lane_blocks(tiles), kThreads, moments_kernel<WriteJoint>, tiles, moments,
           WriteJoint{tiles.channels, joint});
}

void launch_joint_sums(void* stream, const Tiles& tiles, const float* sums, double* joint) {
    launch(stream, blocks_for(tiles.channels), kThreads, joint_sums_kernel, tiles, sums, joint);
}

void launch_batch_tables_of_sums(void* stream, const Tiles& tiles, const float* sums, const BatchNumbers& numbers,
                                 const BatchTables& to) {
    launch(stream, blocks_for(tiles.channels), kThreads, tables_of_sums_kernel<float>, tiles, sums, numbers, to);
}

void launch_batch_tables_of_joint(void* stream, const Tiles& tiles, const double* joint, const BatchNumbers& numbers,
                                  const BatchTables& to) {
    launch(stream, blocks_for(tiles.channels), kThreads, tables_of_sums_kernel<double>, tiles, joint, numbers, to);
}

void launch_running_tables(void* stream, const Tiles& tiles, const BatchNumbers& numbers, const BatchTables& to) {
    launch(stream, blocks_for(tiles.channels), kThreads, running_tables_kernel, tiles, numbers, to);
}

void launch_batch_gradients(void* stream, const Tiles& tiles, const float* sums, const BatchTables& tables,
                            const BatchGradients& to) {
    launch(stream, lane_blocks(tiles), kThreads, batch_gradients_kernel, tiles, sums, tables, to);
}

void launch_input_tables(void* stream, const Tiles& tiles, const double* joint, const BatchTables& tables,
                         const InputTables& to) {
    launch(stream, blocks_for(tiles.channels), kThreads, input_tables_kernel, tiles, joint, tables, to);
}

}  // namespace sluice::cudnn
