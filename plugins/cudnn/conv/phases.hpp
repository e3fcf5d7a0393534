// The chain of a nearest upsampling by 2 and a convolution of 3x3 taps as one convolution.
//
// Each pixel of the large output, in one of four phases by its row and column being even or odd, sees 2x2 pixels of the
// small input: 16 products where the chain has 36. They are exact, sums of taps and zeros around being the same, and
// the enlarged image never exists. Seen from the output, the four are one convolution of stride 2 and 4x4 taps that
// reads the large image and gives the small one: its direction towards the input computes the chain.
//
// Along one axis, of taps k of the chain: q = (k2, k1 + k2, k0 + k1, k0).
#pragma once

#include "graph/conv_problem.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

// What is folded into the convolution may follow.
[[nodiscard]] bool is_upsampled_conv2d(const sdk::Chain& chain);
// Of the first two nodes.
[[nodiscard]] bool begins_with_upsampled_conv2d(const sdk::Chain& chain);

// Of the convolution from the large image [N, 2H, 2W, O] to the small one [N, H, W, C].
// upsample, convolution: the nodes of the chain.
ConvProblem phase_extents(const sdk::Node& upsample, const sdk::Node& convolution);

// kernels [O, 3, 3, C] -> phases [C, 4, 4, O] of `type`
void make_phases(void* stream, cudnnDataType_t type, const ConvProblem& extents, const float* kernels, void* phases);
// The adjoint: gradient of phases, of `type` -> gradient of kernels, added to what is there where `add`.
void fold_phases(void* stream, cudnnDataType_t type, const ConvProblem& extents, const void* phases, float* kernels,
                 bool add);

}  // namespace sluice::cudnn
