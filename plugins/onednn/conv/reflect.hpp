// Reflection padding of images and its adjoint: mirrors without repeating the edge (d c b | a b c d | c b a).
#pragma once

#include "conv/geometry.hpp"
#include "math/element.hpp"

namespace sluice::onednn {

// input [N, H, W, C] -> source [N, H + 2 border, W + 2 border, C]. To is From or float.
template <class From, class To>
void reflect_pad(const sluice_threads* threads, const ConvGeometry& geometry, const From* input, To* source);

// The adjoint of reflect_pad(): sums the gradients of all copies of each input element. source_gradient [N, H + 2
// border, W + 2 border, C] -> input_gradient [N, H, W, C]; with `accumulate` it adds to the latter. If To is not float,
// it overwrites source_gradient with sums.
template <class To>
void reflect_fold(const sluice_threads* threads, const ConvGeometry& geometry, float* source_gradient,
                  To* input_gradient, bool accumulate);

}  // namespace sluice::onednn
