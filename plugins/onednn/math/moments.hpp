// Mean and variance of each channel of rows [count, C].
#pragma once

#include <cstdint>

#include "math/element.hpp"
#include "math/wide_rows.hpp"

namespace sluice::onednn {

// Mean and sum of squared distances from it, of any number of rows; precise even if E[x^2] - E[x]^2 would cancel.
struct Moments {
    double* mean;     // [C]
    double* squares;  // [C]
    std::int64_t rows;
};

// Computes the moments of `count` >= 1 rows, enough for one wide row. mean and squares need memory for the whole width,
// although only the first C are results. scratch: [2 width] floats.
void compute_moments(Moments& moments, const float* rows, std::int64_t count, const WideRows& wide, float* scratch);
void compute_moments(Moments& moments, const Bfloat16* rows, std::int64_t count, const WideRows& wide, float* scratch);

// Merges `other` into `moments`. Source: Chan, Golub and LeVeque, "Updating formulae and a pairwise algorithm for
// computing sample variances".
void merge(Moments& moments, const Moments& other, std::int64_t channels);

}  // namespace sluice::onednn
