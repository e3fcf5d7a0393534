// The weight gradient of oneDNN's convolution, reordered into a plain layout in the workspace. For passes that sum or
// reorder it further.
#pragma once

#include "conv/staged.hpp"
#include "library/operation.hpp"
#include "library/workspace.hpp"

namespace sluice::onednn {

class PlainWeightGradient {
public:
    // source, gradient: descriptors of the tensors that run() gets.
    PlainWeightGradient(const dnnl::engine& engine, const dnnl::convolution_backward_weights::primitive_desc& desc,
                        const Md& source, const Md& gradient, const Md& plain, Layout& layout)
        : source_(engine, source, desc.src_desc(), layout),
          gradient_(engine, gradient, desc.diff_dst_desc(), layout),
          packed_(layout.take(desc.diff_weights_desc().get_size())),
          plain_(layout.take(plain.get_size())),
          scratchpad_(layout.take(desc.scratchpad_desc().get_size())),
          convolution_(engine, dnnl::convolution_backward_weights(desc),
                       {{DNNL_ARG_SRC, desc.src_desc()},
                        {DNNL_ARG_DIFF_WEIGHTS, desc.diff_weights_desc()},
                        {DNNL_ARG_DIFF_DST, desc.diff_dst_desc()},
                        {DNNL_ARG_SCRATCHPAD, desc.scratchpad_desc()}}),
          unpack_(make_reorder(engine, desc.diff_weights_desc(), plain)) {}

    // The result is valid until the launch returns.
    const float* run(const sluice_launch& launch, const void* source, const void* gradient) {
        convolution_.execute({{DNNL_ARG_SRC, source_.stage(launch, source)},
                              {DNNL_ARG_DIFF_WEIGHTS, at(launch, packed_)},
                              {DNNL_ARG_DIFF_DST, gradient_.stage(launch, gradient)},
                              {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
        unpack_.execute({{DNNL_ARG_FROM, at(launch, packed_)}, {DNNL_ARG_TO, at(launch, plain_)}});
        return at(launch, plain_);
    }

private:
    StagedInput source_;
    StagedInput gradient_;
    std::uint64_t packed_;
    std::uint64_t plain_;
    std::uint64_t scratchpad_;
    Operation convolution_;
    Operation unpack_;
};

}  // namespace sluice::onednn
