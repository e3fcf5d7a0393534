// conv2d_transpose by cuDNN: the direction towards the input of a convolution from the layer's output to its input. The
// kernels' channels are swapped for it, which is a pass over the kernels.
#pragma once

#include "conv/convolution.hpp"

namespace sluice::cudnn {

class TransposedConv2d : public Convolution {
public:
    explicit TransposedConv2d(const PlanContext& context, const ConvUse& use = {});
    void forward(const sluice_launch& launch, const void* x, void* y, float* sums) const override;
    void backward(const sluice_launch& launch, const void* x, const void* dy, void* dx) const override;

private:
    std::unique_ptr<ConvPass> forward_;
    std::unique_ptr<ConvPass> data_;
    std::unique_ptr<ConvPass> kernels_;
};

}  // namespace sluice::cudnn
