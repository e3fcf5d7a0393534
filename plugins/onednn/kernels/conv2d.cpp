// conv2d: oneDNN's convolutions, one class per direction (conv/).
#include <algorithm>
#include <optional>

#include "conv/backward_data.hpp"
#include "conv/forward.hpp"
#include "conv/weight_gradient.hpp"
#include "kernels/kernels.hpp"

namespace sluice::onednn {
namespace {

class Conv2d : public sdk::Kernel {
public:
    explicit Conv2d(const PlanContext& context) {
        const sdk::Node node = context.chain[0];
        const ConvGeometry geometry(node);
        const auto forward_desc =
            conv_forward_desc(context.engine, user_scratchpad(),
                              geometry.desc(geometry.source(), geometry.bias_desc(), geometry.destination()));
        forward_.emplace(context.engine, geometry, forward_desc);
        note_ = std::string("fwd ") + forward_desc.impl_info_str();
        workspace_ = forward_->workspace();
        if (node.trains()) {
            plan_backward(context, node, geometry, forward_desc);
            context.sink.backward_reads_input(0);
        }
        context.sink.workspace(workspace_);
        context.sink.note(note_);
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
    void plan_backward(const PlanContext& context, const sdk::Node& node, const ConvGeometry& geometry,
                       const dnnl::convolution_forward::primitive_desc& forward_desc) {
        has_bias_ = geometry.bias;
        if (node.wants_gradient(0)) {
            const auto desc =
                conv_backward_data_desc(context.engine, user_scratchpad(),
                                        geometry.desc(geometry.source(), Md(), geometry.destination()), forward_desc);
            data_.emplace(context.engine, geometry, desc, node.accumulates_gradient(0));
            note_ += std::string(", bwd_d ") + desc.impl_info_str();
            workspace_ = std::max(workspace_, data_->workspace());
        }
        weights_ = make_weight_gradient(context.engine, geometry, forward_desc);
        note_ += ", bwd_w " + weights_->name();
        workspace_ = std::max(workspace_, weights_->workspace());
    }

    bool has_bias_ = false;
    std::string note_;
    std::uint64_t workspace_ = 0;
    std::optional<ConvForward> forward_;
    std::optional<ConvBackwardData> data_;
    std::unique_ptr<WeightGradient> weights_;
};

}  // namespace

KernelPtr make_conv2d(const PlanContext& context) { return std::make_unique<Conv2d>(context); }

}  // namespace sluice::onednn
