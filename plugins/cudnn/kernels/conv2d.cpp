// Kernels of one convolution, and of the layers that are folded into it outside training.
#include "conv/conv2d.hpp"

#include "conv/transposed.hpp"
#include "conv/upsampled.hpp"
#include "kernels/conv_layer.hpp"

namespace sluice::cudnn {

KernelPtr make_conv2d(const PlanContext& context) { return conv_layer(context, std::make_unique<Conv2d>(context)); }

KernelPtr make_conv2d_transpose(const PlanContext& context) {
    return conv_layer(context, std::make_unique<TransposedConv2d>(context));
}

KernelPtr make_upsampled_conv2d(const PlanContext& context) {
    return conv_layer(context, std::make_unique<UpsampledConv2d>(context));
}

}  // namespace sluice::cudnn
