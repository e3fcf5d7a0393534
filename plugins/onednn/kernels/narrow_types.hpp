// Which chains of activations of 16 bits a kernel computes as they are stored. Others it computes in float32 and
// rounds, see sluice/sdk/rounded.hpp.
#pragma once

#include <memory>

#include "kernels/kernels.hpp"
#include "math/element.hpp"

namespace sluice::onednn {

// All tensors into and out of all layers are bfloat16.
bool all_bfloat16(const sdk::Chain& chain);
// The same, where the last output may be float32, on a machine on which oneDNN knows bfloat16.
bool bfloat16_convolution(const sdk::Chain& chain);
// All are float32, bfloat16 or float16, in any mixture.
bool any_float(const sdk::Chain& chain);

// The kernel of a chain that refuses() let pass: all of its numbers are float32, or all are bfloat16.
template <template <class> class Kernel>
KernelPtr make_typed(const PlanContext& context) {
    if (sdk::same(context.chain[0].inputs()[0].dtype, sdk::kBfloat16)) {
        return std::make_unique<Kernel<Bfloat16>>(context);
    }
    return std::make_unique<Kernel<float>>(context);
}

}  // namespace sluice::onednn
