#include "norms/group_totals.hpp"

#include <cmath>

#include "cuda/reduce.cuh"
#include "norms/totals.cuh"

namespace sluice::cudnn {
namespace {

// The part that a warp takes, and a thread's share of it.
struct Part {
    __device__ Part(const Tiles& tiles, std::uint32_t groups)
        : index(blockIdx.x * (kThreads / kWarp) + threadIdx.x / kWarp),
          exists(index < tiles.samples * groups),
          sample(index / groups),
          width(tiles.channels / groups),
          first(index % groups * width),
          lane(threadIdx.x % kWarp) {}

    // Calls use(pair, rows, channel) for the sums of all its channels.
    template <class Use>
    __device__ void for_sums(const Tiles& tiles, const float* sums, const Use& use) const {
        const std::uint32_t repeats = tiles.repeats();
        const std::uint32_t all = exists ? tiles.blocks * repeats * width : 0;
        for (std::uint32_t i = lane; i < all; i += kWarp) {
            const std::uint32_t channel = first + i % width;
            const std::uint32_t place = channel + i / width % repeats * tiles.channels;
            const std::uint32_t block = i / width / repeats;
            if (place < tiles.width) {
                use(sums + (std::size_t{sample} * tiles.blocks + block) * 2 * tiles.width + place,
                    tiles.rows_of(block, place), channel);
            }
        }
    }

    // Calls use(place in a table, channel) for all its channels.
    template <class Use>
    __device__ void for_channels(const Tiles& tiles, const Use& use) const {
        for (std::uint32_t k = lane; exists && k < width; k += kWarp) {
            use(sample * tiles.channels + first + k, first + k);
        }
    }

    std::uint32_t index;
    bool exists;
    std::uint32_t sample;
    std::uint32_t width;  // channels
    std::uint32_t first;  // the first of them
    unsigned lane;
};

unsigned part_blocks(const Tiles& tiles, const GroupNumbers& numbers) {
    constexpr unsigned kParts = kThreads / kWarp;
    return (tiles.samples * numbers.groups + kParts - 1) / kParts;
}

__global__ void group_tables_kernel(Tiles tiles, const float* moments, GroupNumbers numbers, GroupTables to) {
    const Part part(tiles, numbers.groups);
    const std::size_t begin = std::size_t{part.sample} * tiles.blocks * 2 * tiles.width + part.first;
    const double pivot = part.exists ? moments[begin] : 0.0;
    double sum = 0.0;  // of distances from the pivot
    double squares = 0.0;
    part.for_sums(tiles, moments, [&](const float* pair, std::uint32_t rows, std::uint32_t) {
        const double distance = rows > 0 ? pair[0] - pivot : 0.0;
        sum += rows * distance;
        squares += pair[tiles.width] + rows * distance * distance;
    });
    sum = sum_over_warp(sum);
    squares = sum_over_warp(squares);
    const double count = static_cast<double>(tiles.rows()) * part.width;
    const double mean = pivot + sum / count;
    const double variance = std::max(squares - sum * sum / count, 0.0) / count;
    const double inverse = 1.0 / std::sqrt(variance + numbers.epsilon);
    part.for_channels(tiles, [&](std::uint32_t at, std::uint32_t c) {
        const double factor = numbers.gamma != nullptr ? numbers.gamma[c] * inverse : inverse;
        const double beta = numbers.beta != nullptr ? numbers.beta[c] : 0.0;
        to.mean[at] = static_cast<float>(mean);
        to.inverse[at] = static_cast<float>(inverse);
        to.factor[at] = static_cast<float>(factor);
        to.shift[at] = static_cast<float>(beta - mean * factor);
    });
}

// With s = g * gamma and n elements of a part the gradient of x is
// inverse * (s - sum(s) / n - (x - mean) * inverse^2 * sum(s * (x - mean)) / n).
__global__ void group_gradients_kernel(Tiles tiles, const float* sums, GroupNumbers numbers, GroupGradients to) {
    const Part part(tiles, numbers.groups);
    double sum = 0.0;
    double product = 0.0;
    part.for_sums(tiles, sums, [&](const float* pair, std::uint32_t, std::uint32_t c) {
        const double gamma = numbers.gamma != nullptr ? numbers.gamma[c] : 1.0;
        sum += gamma * pair[0];
        product += gamma * pair[tiles.width];
    });
    sum = sum_over_warp(sum);
    product = sum_over_warp(product);
    part.for_channels(tiles, [&](std::uint32_t at, std::uint32_t c) {
        const double inverse = to.inverse[at];
        const double share = inverse / (static_cast<double>(tiles.rows()) * part.width);
        const double slope = -share * inverse * inverse * product;
        to.factor[at] = static_cast<float>(numbers.gamma != nullptr ? numbers.gamma[c] * inverse : inverse);
        to.slope[at] = static_cast<float>(slope);
        to.offset[at] = static_cast<float>(-share * sum - slope * to.mean[at]);
    });
}

__global__ void parameter_gradients_kernel(Tiles tiles, const float* sums, ParameterGradients to) {
    const std::uint32_t c = blockIdx.x * kLanes + threadIdx.x % kLanes;
    const bool is_channel = c < tiles.channels;
    double totals[2] = {};
    if (is_channel) {
        for_sums(tiles, sums, c, [&](const PairOfSums& pair) {
            const std::size_t at = std::size_t{pair.sample} * tiles.channels + c;
            totals[0] += pair.first;
            totals[1] += to.inverse != nullptr ? static_cast<double>(to.inverse[at]) * pair.second : pair.second;
        });
    }
    sum_over_shares(totals);
    if (is_channel && threadIdx.x < kLanes) {
        put(to.gamma, c, to.adds, totals[1]);
        put(to.beta, c, to.adds, totals[0]);
    }
}

}  // namespace

void launch_group_tables(void* stream, const Tiles& tiles, const float* moments, const GroupNumbers& numbers,
                         const GroupTables& to) {
    launch(stream, part_blocks(tiles, numbers), kThreads, group_tables_kernel, tiles, moments, numbers, to);
}

void launch_group_gradients(void* stream, const Tiles& tiles, const float* sums, const GroupNumbers& numbers,
                            const GroupGradients& to) {
    launch(stream, part_blocks(tiles, numbers), kThreads, group_gradients_kernel, tiles, sums, numbers, to);
}

void launch_parameter_gradients(void* stream, const Tiles& tiles, const float* sums, const ParameterGradients& to) {
    launch(stream, lane_blocks(tiles), kThreads, parameter_gradients_kernel, tiles, sums, to);
}

}  // namespace sluice::cudnn
