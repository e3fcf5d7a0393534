// Activations on dense memory. Element is float or Bfloat16. With `add`, a gradient is added to `to`, else it
// overwrites it.
#pragma once

#include <cstdint>

namespace sluice::onednn {

// These read x; their gradients read the result.
template <class Element>
void leaky_relu(Element* to, const Element* from, std::int64_t count, float slope);
template <class Element>
void leaky_relu_gradient(Element* to, const Element* result, const Element* gradient, std::int64_t count, bool add,
                         float slope);
template <class Element>
void relu6(Element* to, const Element* from, std::int64_t count);
template <class Element>
void relu6_gradient(Element* to, const Element* result, const Element* gradient, std::int64_t count, bool add);
template <class Element>
void sigmoid(Element* to, const Element* from, std::int64_t count);
template <class Element>
void sigmoid_gradient(Element* to, const Element* result, const Element* gradient, std::int64_t count, bool add);

// These read x; so do their gradients.
template <class Element>
void silu(Element* to, const Element* from, std::int64_t count);
template <class Element>
void silu_gradient(Element* to, const Element* from, const Element* gradient, std::int64_t count, bool add);
template <class Element>
void gelu(Element* to, const Element* from, std::int64_t count);
template <class Element>
void gelu_gradient(Element* to, const Element* from, const Element* gradient, std::int64_t count, bool add);
// With tanh(sqrt(2 / pi) (x + 0.044715 x^3)) in place of erf(x / sqrt(2)).
template <class Element>
void gelu_by_tanh(Element* to, const Element* from, std::int64_t count);
template <class Element>
void gelu_by_tanh_gradient(Element* to, const Element* from, const Element* gradient, std::int64_t count, bool add);

}  // namespace sluice::onednn
