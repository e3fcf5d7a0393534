// conv2d: each direction by oneDNN's convolution (conv/) or by our own after Winograd (winograd/) or for few channels
// (narrow/), whichever is faster.
#include <memory>
#include <string>

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

using ForwardDesc = dnnl::convolution_forward::primitive_desc;

class Conv2d : public ConvKernel {
public:
    explicit Conv2d(const PlanContext& context) : ConvKernel(context.chain[0]) {
        const sdk::Node node = context.chain[0];
        const ConvGeometry geometry(node);
        const ForwardDesc direct = describe_forward(context, geometry);
        forward_ = choose_forward(context, geometry, direct);
        std::string note = describe("fwd", *forward_);
        if (node.trains()) {
            if (node.wants_gradient(0)) {
                data_ = choose_backward_data(context, geometry, direct);
                note += ", " + describe("bwd_d", *data_);
            }
            weights_ = choose_backward_weights(context, geometry, direct);
            note += ", " + describe("bwd_w", *weights_);
            context.sink.backward_reads_input(0);
        }
        context.sink.workspace(workspace());
        context.sink.note(note);
    }

private:
    static PassPtr choose_backward_data(const PlanContext& context, const ConvGeometry& geometry,
                                        const ForwardDesc& direct) {
        const bool accumulate = context.chain[0].accumulates_gradient(0);
        const auto make = [&](const ConvGeometry& part) {
            return make_backward_data(context, part, describe_part(context, geometry, part, direct), accumulate);
        };
        ConvWays ways{[&] { return image_by_image(geometry, make); },
                      [&] { return make_winograd_backward_data(geometry, context.threads(), accumulate); },
                      {}};
        if (narrow_input_fits(geometry)) {
            ways.narrow = [&] { return make_narrow_backward_data(geometry, context.threads(), accumulate); };
        }
        return choose_way(context, geometry, "bwd_d", ways);
    }

    static PassPtr choose_backward_weights(const PlanContext& context, const ConvGeometry& geometry,
                                           const ForwardDesc& direct) {
        const auto make = [&](const ConvGeometry& part) {
            return make_weight_gradient(context.engine, part, describe_part(context, geometry, part, direct),
                                        context.threads());
        };
        return choose_way(context, geometry, "bwd_w",
                          {[&] { return image_by_image(geometry, make); },
                           [&] { return make_winograd_weight_gradient(geometry, context.threads()); },
                           {}});
    }

    // Of a part of the batch, for which `direct` does only where it is the whole.
    static ForwardDesc describe_part(const PlanContext& context, const ConvGeometry& geometry, const ConvGeometry& part,
                                     const ForwardDesc& direct) {
        return part.batch == geometry.batch ? direct : describe_forward(context, part);
    }

    static PassPtr make_backward_data(const PlanContext& context, const ConvGeometry& geometry,
                                      const ForwardDesc& direct, bool accumulate) {
        const auto desc = conv_backward_data_desc(
            context.engine, user_scratchpad(), geometry.desc(geometry.source(), Md(), geometry.destination()), direct);
        return std::make_unique<ConvBackwardData>(context.engine, geometry, desc, accumulate);
    }
};

}  // namespace

KernelPtr make_conv2d(const PlanContext& context) { return std::make_unique<Conv2d>(context); }

}  // namespace sluice::onednn
