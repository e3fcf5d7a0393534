#include "conv/backward_weights.hpp"

#include "conv/arithmetic.hpp"
#include "conv/source.hpp"
#include "conv/weight_gradient_layout.hpp"

namespace sluice::onednn {
namespace {

auto describe(const dnnl::engine& engine, const ConvGeometry& geometry,
              const dnnl::convolution_forward::primitive_desc& forward_desc) {
    return conv_backward_weights_desc(engine, user_scratchpad(),
                                      geometry.weight_gradient_desc(weight_gradient_layout(geometry)), forward_desc);
}

}  // namespace

ConvBackwardWeights::ConvBackwardWeights(const dnnl::engine& engine, const ConvGeometry& geometry,
                                         const dnnl::convolution_forward::primitive_desc& forward_desc)
    : ConvPass(geometry.computed, direct_flops(geometry)),
      geometry_(geometry),
      desc_(describe(engine, geometry, forward_desc)),
      copied_(layout_.take(copied_source_bytes(geometry))),
      source_(engine, geometry.source(), desc_.src_desc(), layout_),
      gradient_(engine, geometry.stored_output(), desc_.diff_dst_desc(), layout_),
      stored_(engine, desc_.diff_weights_desc(), desc_.diff_bias_desc(), geometry.canonical_weights(), layout_),
      scratchpad_(layout_.take(desc_.scratchpad_desc().get_size())),
      convolution_(engine, dnnl::convolution_backward_weights(desc_),
                   {{DNNL_ARG_SRC, desc_.src_desc()},
                    {DNNL_ARG_DIFF_WEIGHTS, desc_.diff_weights_desc()},
                    {DNNL_ARG_DIFF_BIAS, desc_.diff_bias_desc()},
                    {DNNL_ARG_DIFF_DST, desc_.diff_dst_desc()},
                    {DNNL_ARG_SCRATCHPAD, desc_.scratchpad_desc()}}) {}

void ConvBackwardWeights::run(const sluice_launch& launch) {
    const void* source = source_of(launch, geometry_, at(launch, copied_));
    convolution_.execute({{DNNL_ARG_SRC, source_.stage(launch, source)},
                          {DNNL_ARG_DIFF_WEIGHTS, stored_.weights(launch)},
                          {DNNL_ARG_DIFF_BIAS, stored_.bias(launch)},
                          {DNNL_ARG_DIFF_DST, gradient_.stage(launch, launch.output_gradients[0])},
                          {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
    stored_.store(launch);
}

}  // namespace sluice::onednn
