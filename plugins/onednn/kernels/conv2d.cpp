// conv2d: each direction by oneDNN's convolution (conv/), by our Winograd loops (winograd/) or by our loops for few
// channels (narrow/), whichever is the fastest.
#include <memory>

#include "conv/backward_data.hpp"
#include "conv/image_by_image.hpp"
#include "conv/weight_gradient.hpp"
#include "kernels/conv2d_ways.hpp"
#include "kernels/conv_kernel.hpp"
#include "kernels/kernels.hpp"
#include "narrow/passes.hpp"
#include "winograd/passes.hpp"

namespace sluice::onednn {
namespace {

class Conv2d : public ConvKernel {
public:
    explicit Conv2d(const PlanContext& context) : ConvKernel(context.chain[0]) {
        const sdk::Node node = context.chain[0];
        const ConvGeometry geometry(node);
        forward_ = choose_forward(context, geometry);
        if (node.trains()) {
            if (node.wants_gradient(0)) {
                data_ = choose_backward_data(context, geometry);
            }
            weights_ = choose_backward_weights(context, geometry);
        }
        declare_needs(context.sink, geometry.input);
    }

private:
    static PassPtr choose_backward_data(const PlanContext& context, const ConvGeometry& geometry) {
        const bool accumulate = context.chain[0].accumulates_gradient(0);
        const auto make = [&](const ConvGeometry& part) {
            return std::make_unique<ConvBackwardData>(context.engine, part, describe_forward(context, part),
                                                      accumulate);
        };
        ConvWays ways{[&](const ConvGeometry& direct) { return image_by_image(direct, make); },
                      [&] { return make_winograd_backward_data(geometry, context.threads(), accumulate); },
                      {}};
        if (narrow_input_fits(geometry)) {
            ways.narrow = [&] { return make_narrow_backward_data(geometry, context.threads(), accumulate); };
        }
        return choose_way(context, geometry, "bwd_d", ways);
    }

    static PassPtr choose_backward_weights(const PlanContext& context, const ConvGeometry& geometry) {
        const auto make = [&](const ConvGeometry& part) {
            return make_weight_gradient(context.engine, part, describe_forward(context, part), context.threads());
        };
        return choose_way(context, geometry, "bwd_w",
                          {[&](const ConvGeometry& direct) { return image_by_image(direct, make); },
                           [&] { return make_winograd_weight_gradient(geometry, context.threads()); },
                           {}});
    }
};

}  // namespace

KernelPtr make_conv2d(const PlanContext& context) { return std::make_unique<Conv2d>(context); }

}  // namespace sluice::onednn
