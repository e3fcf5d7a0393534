// Outside training batch_norm multiplies and shifts each channel by numbers that change only with the parameters:
// kernels and bias of the convolution before it take them up, in one pass over the kernels.
#pragma once

#include <cudnn.h>

#include "conv/weights.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

// Whether behind node `convolution` stands batch_norm, or batch_norm and relu, outside training.
[[nodiscard]] bool folds_batch_norm(const sdk::Chain& chain, std::size_t convolution);

// conv2d and what is folded into it.
[[nodiscard]] bool is_folded_conv2d(const sdk::Chain& chain);

// Numbers of each filter, [O] on the device.
struct FoldNumbers {
    const float* bias;  // of the convolution, or NULL
    const float* gamma;
    const float* beta;
    const float* mean;
    const float* variance;
    double epsilon;
};

// Those of a launch whose first parameters are kernels and, where has_bias, bias of the convolution.
[[nodiscard]] FoldNumbers fold_numbers(const sluice_launch& launch, bool has_bias, double epsilon);

// kernels [O, taps, I] -> to, rounded once to `type`; bias: [O]
void fold_batch_norm(void* stream, cudnnDataType_t type, const WeightShape& shape, const FoldNumbers& numbers,
                     const float* kernels, void* to, float* bias);

}  // namespace sluice::cudnn
