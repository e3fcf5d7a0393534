#include "kernels/conv_parts.hpp"

#include "conv/conv2d.hpp"
#include "conv/transposed.hpp"
#include "conv/upsampled.hpp"

namespace sluice::cudnn {
namespace {

ConvolutionPtr make_convolution(const PlanContext& context, const ConvStage& stage) {
    const ConvUse use{.input = stage.begin,
                      .node = *stage.convolution,
                      .before_norm = stage.norm.has_value(),
                      .has_source = stage.begin > 0};
    if (context.chain[use.node].type() == "conv2d_transpose") {
        return std::make_unique<TransposedConv2d>(context, use);
    }
    if (context.chain[use.input].type() == "upsample") {
        return std::make_unique<UpsampledConv2d>(context, use);
    }
    return std::make_unique<Conv2d>(context, use);
}

}  // namespace

sluice_launch PartPlace::of(sluice_launch launch, std::uint64_t workspace) const {
    const auto skip = [](auto& pointers, std::size_t count) {
        pointers = pointers == nullptr ? nullptr : pointers + count;
    };
    skip(launch.parameters, parameters);
    skip(launch.rounded_parameters, parameters);
    skip(launch.parameter_gradients, parameters);
    skip(launch.states, states);
    skip(launch.saved, saved);
    launch.workspace = at(launch.workspace, workspace);
    return launch;
}

ConvPart::ConvPart(const PlanContext& context, const ConvStage& stage, PartPlace& next)
    : place_(next),
      convolution_(make_convolution(context, stage)),
      skips_bias_(stage.norm && context.chain[*stage.convolution].parameters().size() > 1),
      wants_gradient_(context.chain[stage.begin].wants_gradient(0)) {
    next.parameters += context.chain[*stage.convolution].parameters().size();
    next.saved += convolution_->saved_blocks();
}

}  // namespace sluice::cudnn
