// A convolution as a kernel of its own.
#pragma once

#include <utility>

#include "conv/convolution.hpp"
#include "kernels/kernels.hpp"

namespace sluice::cudnn {

class ConvLayer : public sdk::Kernel {
public:
    explicit ConvLayer(ConvolutionPtr convolution) : convolution_(std::move(convolution)) {}

    void forward(const sluice_launch& launch) override {
        convolution_->forward(launch, launch.inputs[0], launch.outputs[0], nullptr);
    }
    void backward(const sluice_launch& launch) override {
        convolution_->backward(launch, launch.inputs[0], launch.output_gradients[0], launch.input_gradients[0]);
    }

private:
    ConvolutionPtr convolution_;
};

inline KernelPtr conv_layer(const PlanContext& context, ConvolutionPtr convolution) {
    context.sink.workspace(convolution->workspace());
    context.sink.note(convolution->note());
    context.sink.arithmetic(convolution->forward_flops(), convolution->backward_flops());
    return std::make_unique<ConvLayer>(std::move(convolution));
}

}  // namespace sluice::cudnn
