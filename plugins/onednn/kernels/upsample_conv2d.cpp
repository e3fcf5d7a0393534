// The chain of upsample by 2 and conv2d of 3x3 taps and stride 1, computed as four convolutions of 2x2 taps of the
// small image. They run on oneDNN (phases/) or on our Winograd loops (winograd/), whichever is faster.
#include <memory>
#include <string>

#include "kernels/conv2d_ways.hpp"
#include "kernels/conv_kernel.hpp"
#include "kernels/kernels.hpp"
#include "phases/passes.hpp"
#include "winograd/passes.hpp"

namespace sluice::onednn {
namespace {

class UpsampleConv2d : public ConvKernel {
public:
    explicit UpsampleConv2d(const PlanContext& context) : ConvKernel(context.chain[1]) {
        const sdk::Node upsample = context.chain[0];
        const sdk::Node convolution = context.chain[1];
        const ConvGeometry geometry(convolution);
        forward_ = choose_upsampled_forward(context, geometry);
        if (convolution.trains()) {
            if (upsample.wants_gradient(0)) {
                data_ = choose_backward_data(context, geometry);
            }
            weights_ = choose_backward_weights(context, geometry);
        }
        declare_needs(context.sink, geometry.input);
    }

private:
    static PassPtr choose_backward_data(const PlanContext& context, const ConvGeometry& geometry) {
        const bool accumulate = context.chain[0].accumulates_gradient(0);
        return choose_way(
            context, geometry, "upsampled bwd_d",
            {[&](const ConvGeometry& direct) { return make_phase_backward_data(context.engine, direct, accumulate); },
             [&] { return make_upsampled_backward_data(geometry, context.threads(), accumulate); },
             {}});
    }

    static PassPtr choose_backward_weights(const PlanContext& context, const ConvGeometry& geometry) {
        return choose_way(context, geometry, "upsampled bwd_w",
                          {[&](const ConvGeometry& direct) {
                               return make_phase_weight_gradient(context.engine, direct, context.threads());
                           },
                           [&] { return make_upsampled_weight_gradient(geometry, context.threads()); },
                           {}});
    }
};

}  // namespace

bool is_upsampled_conv2d(const sdk::Chain& chain) {
    return chain.size() == 2 && chain[0].type() == "upsample" && chain[1].type() == "conv2d";
}

std::optional<std::string> refuses_upsampled_conv2d(const sdk::Chain& chain, bool winograd) {
    const sdk::Options upsample = chain[0].options();
    if (upsample.integer("factor") != 2 || upsample.string("mode") != "nearest") {
        return "computes upsample and conv2d together only for factor 2 and mode 'nearest'";
    }
    const ConvGeometry geometry(chain[1]);
    if (!upsampled_fits(geometry)) {
        return "computes upsample and conv2d together only for a 3x3 kernel, stride 1 and a border of one zero";
    }
    if (!phases_are_likely_faster(geometry) && !(winograd && winograd_is_likely_faster(geometry))) {
        return "with so few channels or pixels, upsample and conv2d are faster one after the other";
    }
    return std::nullopt;
}

KernelPtr make_upsampled_conv2d(const PlanContext& context) { return std::make_unique<UpsampleConv2d>(context); }

}  // namespace sluice::onednn
