// A chain of nearest upsampling by 2 and a convolution of 3x3 taps, computed as one convolution.
//
// Pixels of the large output fall into four phases, by even or odd row and column. A pixel of a phase depends on 2x2
// pixels of the small input, so the phases take 16 products where the chain takes 36. The result is exact, because the
// phases add up taps and see the same zeros around the image. The enlarged image never exists.
//
// Seen from the output, the four phases are one convolution of stride 2 and 4x4 taps that reads the large image and
// writes the small one. Its direction backward_data computes the chain.
//
// Along one axis, the chain's taps k give the taps q = (k2, k1 + k2, k0 + k1, k0).
#pragma once

#include "graph/conv_problem.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

// True if the chain is these two layers. Layers that are folded into the convolution may follow.
[[nodiscard]] bool is_upsampled_conv2d(const sdk::Chain& chain);
// True if the chain begins with these two layers.
[[nodiscard]] bool begins_with_upsampled_conv2d(const sdk::Chain& chain);

// Returns the convolution from the large image [N, 2H, 2W, O] to the small one [N, H, W, C].
// upsample, convolution: the nodes of the chain.
ConvProblem phase_extents(const sdk::Node& upsample, const sdk::Node& convolution);

// Converts kernels [O, 3, 3, C] to phases [C, 4, 4, O] of `type`.
void make_phases(void* stream, cudnnDataType_t type, const ConvProblem& extents, const float* kernels, void* phases);
// The adjoint: converts the gradient of phases, of `type`, to the gradient of kernels. If `add`, it adds to `kernels`.
void fold_phases(void* stream, cudnnDataType_t type, const ConvProblem& extents, const void* phases, float* kernels,
                 bool add);

}  // namespace sluice::cudnn
