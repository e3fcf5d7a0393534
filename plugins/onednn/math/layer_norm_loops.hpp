// Loops of layer normalisation over rows [count, width] of float32.
#pragma once

#include "math/rows.hpp"

namespace sluice::onednn {

// Of each row: y = gamma * (x - mean) * inverse + beta, inverse = 1 / sqrt(variance + epsilon). gamma, beta: [width];
// mean, inverse: [count].
struct LayerNormRows {
    const float* x;
    const float* gamma;
    float* mean;
    float* inverse;
};
void normalise_rows(const LayerNormRows& rows, const float* beta, double epsilon, const RowShape& shape, float* y);

// dx, from the gradient of y: [count, width], added to what is there where `add`.
void normalised_gradient(const LayerNormRows& rows, const float* gradient, const RowShape& shape, float* dx, bool add);

// sums[c] += gradient * (x - mean) * inverse, sums[width + c] += gradient. scratch: [2 width] floats.
void add_layer_sums(const LayerNormRows& rows, const float* gradient, const RowShape& shape, double* sums,
                    float* scratch);

}  // namespace sluice::onednn
