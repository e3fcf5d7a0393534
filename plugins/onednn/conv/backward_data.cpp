#include "conv/backward_data.hpp"

#include "conv/arithmetic.hpp"
#include "conv/source.hpp"

namespace sluice::onednn {
namespace {

// A gradient that accumulates must be rounded only once, after the sum, so oneDNN writes it in float32 to the
// workspace.
bool is_staged(const ConvGeometry& geometry, bool accumulate) { return accumulate || geometry.copies_source(); }

auto describe(const dnnl::engine& engine, const ConvGeometry& geometry, bool accumulate,
              const dnnl::convolution_forward::primitive_desc& forward_desc) {
    const Md gradient = is_staged(geometry, accumulate) ? geometry.source_gradient() : geometry.source();
    return conv_backward_data_desc(engine, user_scratchpad(), geometry.desc(gradient, Md(), geometry.destination()),
                                   forward_desc);
}

}  // namespace

ConvBackwardData::ConvBackwardData(const dnnl::engine& engine, const ConvGeometry& geometry,
                                   const dnnl::convolution_forward::primitive_desc& forward_desc, bool accumulate)
    : ConvBackwardData(engine, geometry, describe(engine, geometry, accumulate, forward_desc), accumulate) {}

ConvBackwardData::ConvBackwardData(const dnnl::engine& engine, const ConvGeometry& geometry,
                                   const dnnl::convolution_backward_data::primitive_desc& desc, bool accumulate)
    : ConvPass(geometry.computed, direct_flops(geometry)),
      name_(desc.impl_info_str()),
      geometry_(geometry),
      accumulate_(accumulate),
      staged_(is_staged(geometry, accumulate)),
      staging_(layout_.take(staged_ ? geometry.source_gradient().get_size() : 0)),
      scratchpad_(layout_.take(desc.scratchpad_desc().get_size())),
      weights_(engine, {geometry.canonical_weights(), desc.weights_desc(), geometry.trains}, layout_),
      gradient_(engine, geometry.stored_output(), desc.diff_dst_desc(), layout_),
      convolution_(engine, dnnl::convolution_backward_data(desc),
                   {{DNNL_ARG_DIFF_SRC, desc.diff_src_desc()},
                    {DNNL_ARG_WEIGHTS, desc.weights_desc()},
                    {DNNL_ARG_DIFF_DST, desc.diff_dst_desc()},
                    {DNNL_ARG_SCRATCHPAD, desc.scratchpad_desc()}}) {}

void ConvBackwardData::run(const sluice_launch& launch) {
    void* target = staged_ ? at(launch, staging_) : launch.input_gradients[0];
    convolution_.execute({{DNNL_ARG_DIFF_SRC, target},
                          {DNNL_ARG_WEIGHTS, weights_.get(launch, sdk::parameter(launch, 0))},
                          {DNNL_ARG_DIFF_DST, gradient_.stage(launch, launch.output_gradients[0])},
                          {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
    if (staged_) {
        store_input_gradient(launch, geometry_, at(launch, staging_), accumulate_);
    }
}

}  // namespace sluice::onednn
