// conv2d: each direction by oneDNN's convolution (conv/) or by our own after Winograd (winograd/) or for few channels
// (narrow/), whichever is faster.
#include <memory>
#include <string>
#include <vector>

#include "conv/backward_data.hpp"
#include "conv/choice.hpp"
#include "conv/forward.hpp"
#include "conv/weight_gradient.hpp"
#include "kernels/conv_kernel.hpp"
#include "kernels/kernels.hpp"
#include "narrow/passes.hpp"
#include "winograd/passes.hpp"

namespace sluice::onednn {
namespace {

using PassPtr = std::unique_ptr<ConvPass>;
using Maker = std::function<PassPtr()>;

// oneDNN computes everything, but some of it by a loop that it calls its reference.
std::string describe(const char* direction, const ConvPass& pass) {
    const std::string name = pass.name();
    return std::string(direction) + " " + name + (name.starts_with("ref") ? " (oneDNN has only its slow loop)" : "");
}

// The ways to compute one direction; those are empty that do not compute it.
struct Ways {
    Maker direct;  // oneDNN's
    Maker winograd;
    Maker narrow;
};

class Conv2d : public ConvKernel {
public:
    explicit Conv2d(const PlanContext& context) : ConvKernel(context.chain[0]) {
        const sdk::Node node = context.chain[0];
        const ConvGeometry geometry(node);
        const auto forward_desc =
            conv_forward_desc(context.engine, user_scratchpad(),
                              geometry.desc(geometry.source(), geometry.bias_desc(), geometry.destination()));
        Ways ways{[&] { return std::make_unique<ConvForward>(context.engine, geometry, forward_desc); },
                  [&] { return make_winograd_forward(geometry, context.threads()); },
                  {}};
        if (narrow_output_fits(geometry)) {
            ways.narrow = [&] { return make_narrow_forward(geometry, context.threads()); };
        }
        forward_ = choose(context, geometry, "fwd", ways);
        if (node.trains()) {
            plan_backward(context, geometry, forward_desc);
            context.sink.backward_reads_input(0);
        }
        context.sink.workspace(workspace());
        context.sink.note(note_);
    }

private:
    void plan_backward(const PlanContext& context, const ConvGeometry& geometry,
                       const dnnl::convolution_forward::primitive_desc& forward_desc) {
        const sdk::Node node = context.chain[0];
        if (node.wants_gradient(0)) {
            const bool accumulate = node.accumulates_gradient(0);
            Ways ways{[&] { return make_backward_data(context.engine, geometry, forward_desc, accumulate); },
                      [&] { return make_winograd_backward_data(geometry, context.threads(), accumulate); },
                      {}};
            if (narrow_input_fits(geometry)) {
                ways.narrow = [&] { return make_narrow_backward_data(geometry, context.threads(), accumulate); };
            }
            data_ = choose(context, geometry, "bwd_d", ways);
        }
        weights_ =
            choose(context, geometry, "bwd_w",
                   {[&] { return make_weight_gradient(context.engine, geometry, forward_desc, context.threads()); },
                    [&] { return make_winograd_weight_gradient(geometry, context.threads()); },
                    {}});
    }

    // The likely fastest first.
    PassPtr choose(const PlanContext& context, const ConvGeometry& geometry, const char* direction, const Ways& ways) {
        std::vector<ConvCandidate> candidates{{"direct", ways.direct}};
        if (context.winograd && winograd_fits(geometry)) {
            candidates.insert(winograd_pays(geometry) ? candidates.begin() : candidates.end(),
                              {"winograd", ways.winograd});
        }
        if (ways.narrow) {
            candidates.insert(candidates.begin(), {"narrow", ways.narrow});
        }
        PassPtr pass = choose_pass({direction, geometry, context.sink}, candidates);
        note_ += (note_.empty() ? "" : ", ") + describe(direction, *pass);
        return pass;
    }

    static PassPtr make_backward_data(const dnnl::engine& engine, const ConvGeometry& geometry,
                                      const dnnl::convolution_forward::primitive_desc& forward_desc, bool accumulate) {
        const auto desc = conv_backward_data_desc(
            engine, user_scratchpad(), geometry.desc(geometry.source(), Md(), geometry.destination()), forward_desc);
        return std::make_unique<ConvBackwardData>(engine, geometry, desc, accumulate);
    }

    std::string note_;
};

}  // namespace

KernelPtr make_conv2d(const PlanContext& context) { return std::make_unique<Conv2d>(context); }

}  // namespace sluice::onednn
