// Loops of layer normalisation over rows [count, width]. Element is float or Bfloat16.
#pragma once

#include "math/rows.hpp"

namespace sluice::onednn {

// For each row: y = gamma * (x - mean) * inverse + beta, inverse = 1 / sqrt(variance + epsilon). gamma, beta: [width];
// mean, inverse: [count].
template <class Element>
struct LayerNormRows {
    const Element* x;
    const float* gamma;
    float* mean;
    float* inverse;
};
template <class Element>
void normalise_rows(const LayerNormRows<Element>& rows, const float* beta, double epsilon, const RowShape& shape,
                    Element* y);

// Computes dx [count, width] from the gradient of y; with `add` it is added to dx.
template <class Element>
void normalised_gradient(const LayerNormRows<Element>& rows, const Element* gradient, const RowShape& shape,
                         Element* dx, bool add);

// sums[c] += gradient * (x - mean) * inverse, sums[width + c] += gradient. scratch: [2 width] floats.
template <class Element>
void add_layer_sums(const LayerNormRows<Element>& rows, const Element* gradient, const RowShape& shape, double* sums,
                    float* scratch);

}  // namespace sluice::onednn
