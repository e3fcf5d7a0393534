// Statistics over the samples of all replicas, for kernels of layers with SLUICE_LAYER_JOINS_REPLICAS.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "sluice/sdk/kernel.hpp"

namespace sluice::sdk {

// Number of doubles that the functions below need in `scratch`, which is host memory.
constexpr std::int64_t joint_scratch(std::int64_t channels) { return 2 * channels + 1; }

// `mean` and `squares` (sums of squared distances from the mean) of `rows` rows [C] become those over the rows of all
// replicas. Returns the number of these rows. It all-reduces once, in float64, in which E[x^2] - E[x]^2 of float32
// numbers keeps enough digits. Throws if a replica is lost.
inline double join_moments(const sluice_launch& launch, std::int64_t rows, std::int64_t channels, double* mean,
                           double* squares, double* scratch, std::string_view name) {
    const auto count = static_cast<double>(rows);
    for (std::int64_t c = 0; c < channels; ++c) {
        scratch[c] = count * mean[c];
        scratch[channels + c] = squares[c] + count * mean[c] * mean[c];
    }
    scratch[2 * channels] = count;
    sum_over_replicas(launch, {scratch, static_cast<std::size_t>(joint_scratch(channels))}, name);
    const double all = scratch[2 * channels];
    for (std::int64_t c = 0; c < channels; ++c) {
        mean[c] = scratch[c] / all;
        squares[c] = std::max(scratch[channels + c] - all * mean[c] * mean[c], 0.0);
    }
    return all;
}

// Two sums [C] over `rows` rows become those over the rows of all replicas. Returns the number of these rows. Throws if
// a replica is lost.
inline double join_sums(const sluice_launch& launch, std::int64_t rows, std::int64_t channels, double* first,
                        double* second, double* scratch, std::string_view name) {
    std::copy_n(first, channels, scratch);
    std::copy_n(second, channels, scratch + channels);
    scratch[2 * channels] = static_cast<double>(rows);
    sum_over_replicas(launch, {scratch, static_cast<std::size_t>(joint_scratch(channels))}, name);
    std::copy_n(scratch, channels, first);
    std::copy_n(scratch + channels, channels, second);
    return scratch[2 * channels];
}

}  // namespace sluice::sdk
