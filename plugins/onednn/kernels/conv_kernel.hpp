// A convolution as a kernel of up to three passes; backward runs those whose gradients are wanted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "conv/pass.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::onednn {

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

    // The largest of the passes.
    [[nodiscard]] std::uint64_t workspace() const {
        std::uint64_t bytes = 0;
        for (const auto* pass : {&forward_, &data_, &weights_}) {
            bytes = *pass ? std::max(bytes, (*pass)->workspace()) : bytes;
        }
        return bytes;
    }

    std::unique_ptr<ConvPass> forward_;
    std::unique_ptr<ConvPass> data_;     // none where the input's gradient is not wanted
    std::unique_ptr<ConvPass> weights_;  // none outside training

private:
    bool has_bias_;
};

}  // namespace sluice::onednn
