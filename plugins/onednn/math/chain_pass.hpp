// A chain of elementwise layers in one pass over memory: normalisation as y = x * factor + shift, relu, dropout, and
// the sum with a tensor from outside the chain. Tables have one number for each element of a row of Elements::width.
// Element is float or Bfloat16, the type of activations and their gradients in memory.
//
// In training, forward stores a bit for each element: 1 if a gradient flows through relu and dropout. Backward reads
// the bits, so it neither compares nor draws anything again.
#pragma once

#include <cstdint>

#include "math/element.hpp"
#include "math/wide_rows.hpp"
#include "sluice/random.h"
#include "sluice/sdk/mask_chain.hpp"

namespace sluice::onednn {

// Element e (counted over the whole tensor) is dropped if word e % 4 of block e / 4 of the key is below `threshold`.
// The other elements are multiplied by `factor`.
struct Dropout {
    sluice_random_key key{};
    std::uint64_t threshold = 0;  // rate * 2^32; 0: nothing is dropped
    float factor = 1.0F;          // 1 / (1 - rate)
};

using sdk::Join;

struct ChainPass {
    const float* factor = nullptr;  // [width]; NULL: without normalisation
    const float* shift = nullptr;
    bool relu = false;
    Dropout dropout;
    Join join = Join::none;
};

// Returns the bytes of the mask bits of a tensor of `count` elements.
std::int64_t bit_bytes(std::int64_t count, std::int64_t width);

template <class Element>
struct ForwardRows {
    const Element* x;
    const Element* outside;  // NULL: nothing is added
    Element* y;
    std::uint8_t* bits;  // NULL: not wanted
};
// All pointers to elements point to the start of the whole tensor.
void chain_forward(const ChainPass& pass, const ForwardRows<float>& rows, const Elements& range);
void chain_forward(const ChainPass& pass, const ForwardRows<Bfloat16>& rows, const Elements& range);

// The tensors of backward. g is the gradient of the value before relu and dropout: the output's times `factor` where
// the bit is 1, else 0.
template <class Element>
struct BackwardRows {
    const Element* gradient;
    const std::uint8_t* bits;  // NULL: all are 1
    float factor;              // dropout's
    Join join;
    Element* outside;   // the gradient of the tensor from outside; NULL: not wanted
    bool adds_outside;  // adds to it instead of overwriting it
};

// Writes to = g and the gradient of the outside tensor, which is all of a chain without normalisation. to: NULL: not
// wanted.
void chain_backward(const BackwardRows<float>& rows, float* to, bool adds, const Elements& range);
void chain_backward(const BackwardRows<Bfloat16>& rows, Bfloat16* to, bool adds, const Elements& range);

// sums: [2 width]. sums[i] += g, sums[width + i] += g * (x - mean). Also writes the gradient of the outside tensor.
void chain_gradient_sums(const BackwardRows<float>& rows, const float* x, const float* mean, const Elements& range,
                         double* sums);
void chain_gradient_sums(const BackwardRows<Bfloat16>& rows, const Bfloat16* x, const float* mean,
                         const Elements& range, double* sums);

// to = g * factor + x * slope + offset. The tables are [width].
struct InputGradient {
    const float* factor;
    const float* slope;
    const float* offset;
    bool adds;
};
void chain_input_gradient(const BackwardRows<float>& rows, const float* x, const InputGradient& by, float* to,
                          const Elements& range);
void chain_input_gradient(const BackwardRows<Bfloat16>& rows, const Bfloat16* x, const InputGradient& by, Bfloat16* to,
                          const Elements& range);

}  // namespace sluice::onednn
