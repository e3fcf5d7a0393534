// A convolution as a kernel of up to three passes; backward runs those whose gradients are wanted.
#pragma once

#include <memory>
#include <string>

#include "conv/pass.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::onednn {

// Describes a pass for the listing of the plan. stored: the type of the convolution's input.
std::string describe(const char* direction, const ConvPass& pass, DataType stored);
// True if the pass multiplies in more bits than are stored.
bool is_widened(const ConvPass& pass, DataType stored);

class ConvKernel : public sdk::Kernel {
public:
    void forward(const sluice_launch& launch) override { forward_->run(launch); }

    void backward(const sluice_launch& launch) override {
        const bool bias_wanted = has_bias_ && launch.parameter_gradients[1] != nullptr;
        if (launch.parameter_gradients[0] != nullptr || bias_wanted) {
            weights_->run(launch);
        }
        if (data_ && launch.input_gradients[0] != nullptr) {
            data_->run(launch);
        }
    }

protected:
    explicit ConvKernel(const sdk::Node& convolution) : has_bias_(convolution.parameters().size() > 1) {}

    // Declares the needs of the passes, which must have been made. stored: the type of the convolution's input.
    void declare_needs(const sdk::KernelSink& sink, DataType stored) const;

    std::unique_ptr<ConvPass> forward_;
    std::unique_ptr<ConvPass> data_;     // none if the input's gradient is not wanted
    std::unique_ptr<ConvPass> weights_;  // none outside training

private:
    bool has_bias_;
};

}  // namespace sluice::onednn
