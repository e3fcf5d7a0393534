// Reflection padding of images and its adjoint: mirrors without repeating the edge (d c b | a b c d | c b a).
#pragma once

#include "conv/geometry.hpp"

namespace sluice::onednn {

// input [N, H, W, C] -> source [N, H + 2 border, W + 2 border, C].
void reflect_pad(const sluice_threads* threads, const ConvGeometry& geometry, const float* input, float* source);

// The source of this launch: its input, or the mirrored copy of it, made in `memory`, where the padding mirrors.
const float* mirrored_source(const sluice_launch& launch, const ConvGeometry& geometry, float* memory);

// Adds up what each input element was copied to: source_gradient [N, H + 2 border, W + 2 border, C] -> input_gradient
// [N, H, W, C], added to what is there where `accumulate`.
void reflect_fold(const sluice_threads* threads, const ConvGeometry& geometry, const float* source_gradient,
                  float* input_gradient, bool accumulate);

}  // namespace sluice::onednn
