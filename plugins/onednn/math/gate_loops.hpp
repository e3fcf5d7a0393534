// Loops of gate over rows [count, width], which have half as many channels as those of its input. Element is float or
// Bfloat16.
#pragma once

#include "math/rows.hpp"

namespace sluice::onednn {

// to = the first half of each row of `from` times the second half.
template <class Element>
void gate_rows(Element* to, const Element* from, const RowShape& shape);
// The gradient of `from`; with `add`, it is added to `to`, else it overwrites it.
template <class Element>
void gate_gradient(Element* to, const Element* from, const Element* gradient, const RowShape& shape, bool add);

}  // namespace sluice::onednn
