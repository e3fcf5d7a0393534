// Decides which chains with 16-bit activations a kernel computes as they are stored. Other chains are computed in
// float32 and rounded, see sluice/sdk/rounded.hpp.
#pragma once

#include <memory>

#include "kernels/kernels.hpp"
#include "math/element.hpp"

namespace sluice::onednn {

// True if all tensors into and out of all layers are bfloat16.
bool all_bfloat16(const sdk::Chain& chain);
// True if all layers compute in bfloat16, all tensors are bfloat16 (the last output may be float32), and oneDNN
// supports bfloat16 on this CPU.
bool bfloat16_convolution(const sdk::Chain& chain);
// True if all tensors are float32, bfloat16 or float16, in any mixture.
bool any_float(const sdk::Chain& chain);

// Makes the kernel of a chain that refuses() accepts: all of its tensors are float32, or all are bfloat16.
template <template <class> class Kernel>
KernelPtr make_typed(const PlanContext& context) {
    if (sdk::same(context.chain[0].inputs()[0].dtype, sdk::kBfloat16)) {
        return std::make_unique<Kernel<Bfloat16>>(context);
    }
    return std::make_unique<Kernel<float>>(context);
}

}  // namespace sluice::onednn
