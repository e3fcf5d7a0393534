// Loops of layer_scale and prelu over rows [count, channels]. factors: [channels]. Element is float or Bfloat16. With
// `add`, a gradient is added to `to`, else it overwrites it.
#pragma once

#include "math/rows.hpp"

namespace sluice::onednn {

// to = factor * from. It is its own gradient.
template <class Element>
void scale_channels(Element* to, const Element* from, const float* factors, const RowShape& shape, bool add);

// to = from, or factor * from where that is negative.
template <class Element>
void prelu(Element* to, const Element* from, const float* factors, const RowShape& shape);
template <class Element>
void prelu_gradient(Element* to, const Element* from, const Element* gradient, const float* factors,
                    const RowShape& shape, bool add);

// sums[c] += gradient * from, over all rows, or over those where `from` is not positive. scratch: [channels] floats.
enum class Summed { all, not_positive };
template <class Element>
void add_factor_sums(double* sums, const Element* from, const Element* gradient, const RowShape& shape, Summed which,
                     float* scratch);

}  // namespace sluice::onednn
