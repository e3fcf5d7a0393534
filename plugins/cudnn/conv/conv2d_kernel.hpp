// What the kernels of conv2d share: its three directions, from the source that cuDNN reads (conv/geometry.hpp).
#pragma once

#include "conv/conv_kernel.hpp"

namespace sluice::cudnn {

class Conv2dKernel : public ConvKernel {
protected:
    // convolution: the place of the conv2d in the chain. Launches begin with its parameters.
    explicit Conv2dKernel(const PlanContext& context, std::size_t convolution = 0);

    void convolve(const sluice_launch& launch, const void* source) const;
    // Not for the first layer. Added to what is there where the gradient of the input is, and that is the source.
    void write_source_gradient(const sluice_launch& launch, void* to) const;
    void write_parameter_gradients(const sluice_launch& launch, const void* source) const;

    [[nodiscard]] bool has_source_gradient() const { return data_ != nullptr; }
    [[nodiscard]] const ConvGeometry& geometry() const { return geometry_; }

private:
    ConvGeometry geometry_;
    std::unique_ptr<ConvPass> forward_;
    std::unique_ptr<ConvPass> data_;
    std::unique_ptr<ConvPass> kernels_;
};

}  // namespace sluice::cudnn
