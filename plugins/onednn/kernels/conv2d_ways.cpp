#include "kernels/conv2d_ways.hpp"

#include <vector>

#include "conv/choice.hpp"
#include "conv/forward.hpp"
#include "library/instruction_set.hpp"
#include "narrow/passes.hpp"
#include "phases/passes.hpp"
#include "winograd/passes.hpp"

namespace sluice::onednn {
namespace {

// The slope of relu for negative numbers. With slope 0 oneDNN computes max(x, 0), which hides NaN.
constexpr float kSlope = 1e-30F;

}  // namespace

std::vector<DirectWay> direct_ways(DataType stored) {
    if (stored == DataType::f32) {
        return {{"direct", DataType::f32}};
    }
    if (!has_bfloat16_units()) {
        return {{"direct float32", DataType::f32}};
    }
    return {{"direct", DataType::bf16}, {"direct float32", DataType::f32}};
}

// Lists the likely fastest candidate first.
PassPtr choose_way(const PlanContext& context, const ConvGeometry& geometry, const char* direction,
                   const ConvWays& ways) {
    std::vector<ConvCandidate> candidates;
    for (const DirectWay& way : direct_ways(geometry.input)) {
        candidates.push_back({way.name, [&, way] { return ways.direct(geometry.computed_in(way.type)); }});
    }
    if (context.winograd && winograd_fits(geometry)) {
        candidates.insert(winograd_is_likely_faster(geometry) ? candidates.begin() : candidates.end(),
                          {"winograd", ways.winograd});
    }
    if (ways.narrow) {
        candidates.insert(candidates.begin(), {"narrow", ways.narrow});
    }
    return choose_pass(choice_of(direction, geometry, context.sink), candidates);
}

dnnl::convolution_forward::primitive_desc describe_forward(const PlanContext& context, const ConvGeometry& geometry) {
    dnnl::primitive_attr attr = user_scratchpad();
    if (geometry.relu) {
        dnnl::post_ops relu;
        append_eltwise(relu, dnnl::algorithm::eltwise_relu, kSlope);
        attr.set_post_ops(relu);
    }
    return conv_forward_desc(context.engine, attr,
                             geometry.desc(geometry.source(), geometry.bias_desc(), geometry.written_output()));
}

PassPtr choose_forward(const PlanContext& context, const ConvGeometry& geometry) {
    ConvWays ways{[&](const ConvGeometry& direct) {
                      return std::make_unique<ConvForward>(context.engine, direct, describe_forward(context, direct));
                  },
                  [&] { return make_winograd_forward(geometry, context.threads()); },
                  {}};
    if (narrow_output_fits(geometry)) {
        ways.narrow = [&] { return make_narrow_forward(geometry, context.threads()); };
    }
    return choose_way(context, geometry, "fwd", ways);
}

PassPtr choose_upsampled_forward(const PlanContext& context, const ConvGeometry& geometry) {
    return choose_way(context, geometry, "upsampled fwd",
                      {[&](const ConvGeometry& direct) { return make_phase_forward(context.engine, direct); },
                       [&] { return make_upsampled_forward(geometry, context.threads()); },
                       {}});
}

}  // namespace sluice::onednn
