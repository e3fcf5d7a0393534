#include "conv/backward_data.hpp"

#include "conv/reflect.hpp"
#include "math/elementwise.hpp"

namespace sluice::onednn {

ConvBackwardData::ConvBackwardData(const dnnl::engine& engine, const ConvGeometry& geometry,
                                   const dnnl::convolution_backward_data::primitive_desc& desc, bool accumulate)
    : name_(desc.impl_info_str()),
      geometry_(geometry),
      accumulate_(accumulate),
      staged_(accumulate || geometry.mirrors()),
      staging_(layout_.take(staged_ ? geometry.source_bytes() : 0)),
      scratchpad_(layout_.take(desc.scratchpad_desc().get_size())),
      weights_(engine, {geometry.canonical_weights(), desc.weights_desc(), geometry.trains}, layout_),
      convolution_(engine, dnnl::convolution_backward_data(desc),
                   {{DNNL_ARG_DIFF_SRC, desc.diff_src_desc()},
                    {DNNL_ARG_WEIGHTS, desc.weights_desc()},
                    {DNNL_ARG_DIFF_DST, desc.diff_dst_desc()},
                    {DNNL_ARG_SCRATCHPAD, desc.scratchpad_desc()}}) {}

void ConvBackwardData::run(const sluice_launch& launch) {
    float* gradient = sdk::input_gradient<float>(launch, 0);
    float* target = staged_ ? at(launch, staging_) : gradient;
    convolution_.execute({{DNNL_ARG_DIFF_SRC, target},
                          {DNNL_ARG_WEIGHTS, weights_.get(launch, sdk::parameter(launch, 0))},
                          {DNNL_ARG_DIFF_DST, sdk::output_gradient<float>(launch, 0)},
                          {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
    if (geometry_.mirrors()) {
        reflect_fold(launch.threads, geometry_, target, gradient, accumulate_);
    } else if (accumulate_) {
        add_all(launch.threads, gradient, target, geometry_.input_count());
    }
}

}  // namespace sluice::onednn
