#include "conv/forward.hpp"

#include "conv/reflect.hpp"

namespace sluice::onednn {

ConvForward::ConvForward(const dnnl::engine& engine, const ConvGeometry& geometry,
                         const dnnl::convolution_forward::primitive_desc& desc)
    : name_(desc.impl_info_str()),
      geometry_(geometry),
      mirrored_(layout_.take(geometry.mirrors() ? geometry.source_bytes() : 0)),
      scratchpad_(layout_.take(desc.scratchpad_desc().get_size())),
      weights_(engine, {geometry.canonical_weights(), desc.weights_desc(), geometry.trains}, layout_),
      convolution_(engine, dnnl::convolution_forward(desc),
                   {{DNNL_ARG_SRC, desc.src_desc()},
                    {DNNL_ARG_WEIGHTS, desc.weights_desc()},
                    {DNNL_ARG_BIAS, desc.bias_desc()},
                    {DNNL_ARG_DST, desc.dst_desc()},
                    {DNNL_ARG_SCRATCHPAD, desc.scratchpad_desc()}}) {}

void ConvForward::run(const sluice_launch& launch) {
    convolution_.execute({{DNNL_ARG_SRC, mirrored_source(launch, geometry_, at(launch, mirrored_))},
                          {DNNL_ARG_WEIGHTS, weights_.get(launch, sdk::parameter(launch, 0))},
                          {DNNL_ARG_BIAS, geometry_.bias ? sdk::parameter(launch, 1) : nullptr},
                          {DNNL_ARG_DST, sdk::output<float>(launch, 0)},
                          {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
}

}  // namespace sluice::onednn
