#include "conv/forward.hpp"

#include "conv/arithmetic.hpp"
#include "conv/source.hpp"

namespace sluice::onednn {

ConvForward::ConvForward(const dnnl::engine& engine, const ConvGeometry& geometry,
                         const dnnl::convolution_forward::primitive_desc& desc)
    : ConvPass(geometry.computed, direct_flops(geometry)),
      name_(desc.impl_info_str()),
      geometry_(geometry),
      source_(layout_.take(copied_source_bytes(geometry))),
      scratchpad_(layout_.take(desc.scratchpad_desc().get_size())),
      weights_(engine, {geometry.canonical_weights(), desc.weights_desc(), geometry.trains}, layout_),
      convolution_(engine, dnnl::convolution_forward(desc),
                   {{DNNL_ARG_SRC, desc.src_desc()},
                    {DNNL_ARG_WEIGHTS, desc.weights_desc()},
                    {DNNL_ARG_BIAS, desc.bias_desc()},
                    {DNNL_ARG_DST, desc.dst_desc()},
                    {DNNL_ARG_SCRATCHPAD, desc.scratchpad_desc()}}),
      result_(engine, desc.dst_desc(), geometry.stored_output(), layout_) {}

void ConvForward::run(const sluice_launch& launch) {
    void* const result = result_.target(launch, launch.outputs[0]);
    convolution_.execute({{DNNL_ARG_SRC, source_of(launch, geometry_, at(launch, source_))},
                          {DNNL_ARG_WEIGHTS, weights_.get(launch, sdk::parameter(launch, 0))},
                          {DNNL_ARG_BIAS, geometry_.bias ? sdk::parameter(launch, 1) : nullptr},
                          {DNNL_ARG_DST, result},
                          {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
    result_.store(launch, launch.outputs[0]);
}

}  // namespace sluice::onednn
