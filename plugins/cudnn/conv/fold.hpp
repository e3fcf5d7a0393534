// Outside training, batch_norm multiplies and shifts each channel by numbers that change only with the parameters. One
// pass over the kernels folds these numbers into the kernels and bias of the convolution before it.
#pragma once

#include <cudnn.h>

#include "conv/weights.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

// True outside training if only batch_norm, or batch_norm and relu, follow node `convolution`.
[[nodiscard]] bool folds_batch_norm(const sdk::Chain& chain, std::size_t convolution);

// True if the chain is conv2d and layers that are folded into it.
[[nodiscard]] bool is_folded_conv2d(const sdk::Chain& chain);

// One number per filter, [O] in device memory.
struct FoldNumbers {
    const float* bias;  // of the convolution, or NULL
    const float* gamma;
    const float* beta;
    const float* mean;
    const float* variance;
    double epsilon;
};

// Takes them from a launch whose first parameters are the convolution's kernels and, if has_bias, its bias.
[[nodiscard]] FoldNumbers fold_numbers(const sluice_launch& launch, bool has_bias, double epsilon);

// Writes the folded kernels [O, taps, I] to `to`, rounded once to `type`, and the folded bias [O] to `bias`.
void fold_batch_norm(void* stream, cudnnDataType_t type, const WeightShape& shape, const FoldNumbers& numbers,
                     const float* kernels, void* to, float* bias);

}  // namespace sluice::cudnn
