// The chain upsample by 2, conv2d of 3x3 taps and stride 1: four convolutions of 2x2 taps of the small image.
#include <algorithm>
#include <memory>
#include <string>

#include "kernels/kernels.hpp"
#include "winograd/passes.hpp"

namespace sluice::onednn {
namespace {

class UpsampleConv2d : public sdk::Kernel {
public:
    explicit UpsampleConv2d(const PlanContext& context) {
        const sdk::Node upsample = context.chain[0];
        const sdk::Node convolution = context.chain[1];
        const ConvGeometry geometry(convolution);
        forward_ = make_upsampled_forward(geometry, context.threads());
        std::uint64_t workspace = forward_->workspace();
        if (convolution.trains()) {
            weights_ = make_upsampled_weight_gradient(geometry, context.threads());
            workspace = std::max(workspace, weights_->workspace());
            if (upsample.wants_gradient(0)) {
                data_ = make_upsampled_backward_data(geometry, context.threads(), upsample.accumulates_gradient(0));
                workspace = std::max(workspace, data_->workspace());
            }
            context.sink.backward_reads_input(0);
        }
        has_bias_ = geometry.bias;
        context.sink.workspace(workspace);
        context.sink.note(forward_->name());
    }

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

private:
    bool has_bias_ = false;
    std::unique_ptr<ConvPass> forward_;
    std::unique_ptr<ConvPass> data_;  // none where the input's gradient is not wanted
    std::unique_ptr<ConvPass> weights_;
};

}  // namespace

std::optional<std::string> refuses_upsampled_conv2d(const sdk::Chain& chain) {
    const sdk::Options upsample = chain[0].options();
    if (upsample.integer("factor") != 2 || upsample.string("mode") != "nearest") {
        return "computes upsample and conv2d at once where each pixel becomes 2x2 equal ones";
    }
    const ConvGeometry geometry(chain[1]);
    if (!upsampled_fits(geometry)) {
        return "computes upsample and conv2d at once where the kernel is 3x3, stride 1, with one zero around";
    }
    if (!winograd_pays(geometry)) {
        return "upsample and conv2d of so few channels or pixels are faster one by one";
    }
    return std::nullopt;
}

KernelPtr make_upsampled_conv2d(const PlanContext& context) { return std::make_unique<UpsampleConv2d>(context); }

}  // namespace sluice::onednn
