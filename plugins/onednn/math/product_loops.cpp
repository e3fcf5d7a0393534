#include "math/product_loops.hpp"

#include "math/clones.hpp"

namespace sluice::onednn {

SLUICE_CLONES void multiply_row(float* to, const float* from, const Factor& factor, std::int64_t count) {
    const float* data = factor.data;
    if (factor.repeats) {
        const float number = *data;
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = from[i] * number;
        }
        return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = from[i] * data[i];
    }
}

SLUICE_CLONES void add_to_sums(double* __restrict sums, const float* row, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        sums[i] += row[i];
    }
}

SLUICE_CLONES double sum_of_row(const float* row, std::int64_t count) {
    constexpr std::int64_t kLanes = 16;  // running sums, so that the compiler uses vectors
    double lanes[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        for (std::int64_t lane = 0; lane < kLanes; ++lane) {
            lanes[lane] += row[i + lane];
        }
    }
    double sum = 0.0;
    for (; i < count; ++i) {
        sum += row[i];
    }
    for (const double lane : lanes) {
        sum += lane;
    }
    return sum;
}

SLUICE_CLONES void store_sums(float* to, const double* sums, std::int64_t count, bool add) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = static_cast<float>(add ? to[i] + sums[i] : sums[i]);
    }
}

}  // namespace sluice::onednn
