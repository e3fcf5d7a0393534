// conv2d_transpose in cuDNN: the direction backward_data of a convolution from the layer's output to its input. A pass
// over the kernels swaps their channels for it.
#pragma once

#include "conv/convolution.hpp"

namespace sluice::cudnn {

class TransposedConv2d : public Convolution {
public:
    explicit TransposedConv2d(const PlanContext& context, const ConvUse& use = {});
    void forward(const sluice_launch& launch, const void* x, void* y, float* sums) const override;
    void backward(const sluice_launch& launch, const void* x, const void* dy, void* dx) const override;

protected:
    // It runs forward what cuDNN calls the gradient of an image.
    [[nodiscard]] Direction forward_direction() const override { return Direction::backward_data; }

private:
    std::unique_ptr<ConvPass> forward_;
    std::unique_ptr<ConvPass> data_;
    std::unique_ptr<ConvPass> kernels_;
};

}  // namespace sluice::cudnn
