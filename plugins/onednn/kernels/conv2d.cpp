// conv2d: for each direction oneDNN's convolution (conv/) or our own by Winograd's method (winograd/).
#include <algorithm>
#include <memory>
#include <string>

#include "conv/backward_data.hpp"
#include "conv/forward.hpp"
#include "conv/weight_gradient.hpp"
#include "kernels/kernels.hpp"
#include "winograd/passes.hpp"

namespace sluice::onednn {
namespace {

using PassPtr = std::unique_ptr<ConvPass>;

// oneDNN computes everything, but some of it by a loop that it calls its reference.
std::string describe(const char* direction, const ConvPass& pass) {
    const std::string name = pass.name();
    return std::string(direction) + " " + name + (name.starts_with("ref") ? " (oneDNN has only its slow loop)" : "");
}

class Conv2d : public sdk::Kernel {
public:
    explicit Conv2d(const PlanContext& context) {
        const sdk::Node node = context.chain[0];
        const ConvGeometry geometry(node);
        const bool winograd = context.winograd && winograd_pays(geometry);
        const auto forward_desc =
            conv_forward_desc(context.engine, user_scratchpad(),
                              geometry.desc(geometry.source(), geometry.bias_desc(), geometry.destination()));
        forward_ = winograd ? make_winograd_forward(geometry)
                            : std::make_unique<ConvForward>(context.engine, geometry, forward_desc);
        note_ = describe("fwd", *forward_);
        workspace_ = forward_->workspace();
        if (node.trains()) {
            plan_backward(context, geometry, forward_desc, winograd);
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
    void plan_backward(const PlanContext& context, const ConvGeometry& geometry,
                       const dnnl::convolution_forward::primitive_desc& forward_desc, bool winograd) {
        const sdk::Node node = context.chain[0];
        has_bias_ = geometry.bias;
        if (node.wants_gradient(0)) {
            const bool accumulate = node.accumulates_gradient(0);
            data_ = winograd ? make_winograd_backward_data(geometry, accumulate)
                             : make_backward_data(context.engine, geometry, forward_desc, accumulate);
            note_ += ", " + describe("bwd_d", *data_);
            workspace_ = std::max(workspace_, data_->workspace());
        }
        weights_ = winograd ? make_winograd_weight_gradient(geometry)
                            : make_weight_gradient(context.engine, geometry, forward_desc);
        note_ += ", " + describe("bwd_w", *weights_);
        workspace_ = std::max(workspace_, weights_->workspace());
    }

    static PassPtr make_backward_data(const dnnl::engine& engine, const ConvGeometry& geometry,
                                      const dnnl::convolution_forward::primitive_desc& forward_desc, bool accumulate) {
        const auto desc = conv_backward_data_desc(
            engine, user_scratchpad(), geometry.desc(geometry.source(), Md(), geometry.destination()), forward_desc);
        return std::make_unique<ConvBackwardData>(engine, geometry, desc, accumulate);
    }

    bool has_bias_ = false;
    std::string note_;
    std::uint64_t workspace_ = 0;
    PassPtr forward_;
    PassPtr data_;  // none where the input's gradient is not wanted
    PassPtr weights_;
};

}  // namespace

KernelPtr make_conv2d(const PlanContext& context) { return std::make_unique<Conv2d>(context); }

}  // namespace sluice::onednn
