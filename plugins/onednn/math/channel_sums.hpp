// Per-channel work of batch normalisation on rows [count, C] of float32.
#pragma once

#include <cstdint>

namespace sluice::onednn {

// Running mean and sum of squared distances from it, of any number of rows; exact where E[x^2] - E[x]^2 cancels.
// Combined by Chan, Golub and LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances".
struct Moments {
    double* mean;     // [C]
    double* squares;  // [C]
    std::int64_t rows;
};
void clear(Moments& moments, std::int64_t channels);
void merge(Moments& moments, const Moments& other, std::int64_t channels);
// scratch: [2 C] floats.
void add_rows(Moments& moments, const float* rows, std::int64_t count, std::int64_t channels, float* scratch);

// sums[c] += the sum of channel c. scratch: [C] floats.
void add_sums(double* sums, const float* rows, std::int64_t count, std::int64_t channels, float* scratch);

// y = x * factor + shift, and max(y, 0) where `relu`. factor, shift: [C].
struct Affine {
    const float* factor;
    const float* shift;
    bool relu;
};
void apply(const Affine& affine, const float* rows, float* to, std::int64_t count, std::int64_t channels);

// The gradient of y that passes to the normalisation: 0 where relu cut y off.
struct GradientRows {
    const float* rows;      // x [count, C]
    const float* gradient;  // of y [count, C]
    std::int64_t count;
};
// sums[c] += gradient, sums[C + c] += gradient * (x - mean). scratch: [2 C] floats.
void add_gradients(const Affine& affine, const float* mean, const GradientRows& part, std::int64_t channels,
                   double* sums, float* scratch);
// to = gradient * factor + x * slope + offset, added to what is there where `add`. slope, offset: [C].
void input_gradients(const Affine& affine, const float* slope, const float* offset, const GradientRows& part,
                     std::int64_t channels, float* to, bool add);

}  // namespace sluice::onednn
