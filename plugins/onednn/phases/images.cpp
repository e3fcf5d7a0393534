// The directions whose result is an image.
#include "phases/passes.hpp"

#include <string>

#include "conv/arithmetic.hpp"
#include "conv/source.hpp"
#include "conv/staged.hpp"
#include "math/conversions.hpp"
#include "math/rows.hpp"
#include "phases/kernels.hpp"

namespace sluice::onednn {
namespace {

std::string phases_of(const char* implementation) { return implementation + std::string(" of 4 phases"); }

// The small image is written in float32, as oneDNN sums it, or in its stored type.
dnnl::convolution_forward::primitive_desc describe_small(const dnnl::engine& engine, const ConvGeometry& phases,
                                                         bool accumulate) {
    dnnl::primitive_attr attr = user_scratchpad();
    if (accumulate) {
        dnnl::post_ops sum;
        sum.append_sum(1.0F);
        attr.set_post_ops(sum);
    }
    return conv_forward_desc(engine, attr, phases.desc(phases.source(), Md(), phases.written_output()));
}

dnnl::convolution_backward_data::primitive_desc describe_large(const dnnl::engine& engine, const ConvGeometry& phases,
                                                               bool wide) {
    const Md large = wide ? phases.source_gradient() : phases.source();
    return conv_backward_data_desc(engine, user_scratchpad(), phases.desc(large, Md(), phases.destination()),
                                   describe_small(engine, phases, false));
}

// For oneDNN this is the gradient of a convolution's input, which has neither bias nor relu. A second pass applies
// those before anything is rounded.
class PhaseForward : public ConvPass {
public:
    PhaseForward(const dnnl::engine& engine, const ConvGeometry& geometry, const ConvGeometry& phases)
        : ConvPass(phases.computed, direct_flops(phases)),
          desc_(describe_large(engine, phases, geometry.bias || geometry.relu || phases.input != phases.computed)),
          pixels_(phases.batch * phases.source_height() * phases.source_width()),
          filters_(phases.channels),
          bias_(geometry.bias),
          relu_(geometry.relu),
          staged_(desc_.diff_src_desc() != phases.stored_input()),
          staging_(layout_.take(staged_ ? desc_.diff_src_desc().get_size() : 0)),
          scratchpad_(layout_.take(desc_.scratchpad_desc().get_size())),
          kernels_(engine, phases, desc_.weights_desc(), layout_),
          small_(engine, phases.stored_output(), desc_.diff_dst_desc(), layout_),
          convolution_(engine, dnnl::convolution_backward_data(desc_),
                       {{DNNL_ARG_DIFF_SRC, desc_.diff_src_desc()},
                        {DNNL_ARG_WEIGHTS, desc_.weights_desc()},
                        {DNNL_ARG_DIFF_DST, desc_.diff_dst_desc()},
                        {DNNL_ARG_SCRATCHPAD, desc_.scratchpad_desc()}}) {}
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return phases_of(desc_.impl_info_str()); }
    [[nodiscard]] bool keeps_packed_weights() const override { return true; }
    void run(const sluice_launch& launch) override {
        void* written = staged_ ? at(launch, staging_) : launch.outputs[0];
        convolution_.execute({{DNNL_ARG_DIFF_SRC, written},
                              {DNNL_ARG_WEIGHTS, kernels_.get(launch, sdk::parameter(launch, 0))},
                              {DNNL_ARG_DIFF_DST, small_.stage(launch, launch.inputs[0])},
                              {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
        if (staged_) {
            finish(launch, static_cast<float*>(written), static_cast<Bfloat16*>(launch.outputs[0]));
        } else if (bias_ || relu_) {
            finish<float>(launch, static_cast<float*>(written), nullptr);
        }
    }

private:
    // output: null if `sums` are the output already.
    template <class Element>
    void finish(const sluice_launch& launch, float* sums, Element* output) const {
        sdk::parallel_for(launch.threads, pixels_, kGrain, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            float* rows = sums + begin * filters_;
            if (bias_ || relu_) {
                shift_rows(rows, bias_ ? sdk::parameter(launch, 1) : nullptr, {end - begin, filters_}, relu_);
            }
            if (output != nullptr) {
                convert(output + begin * filters_, rows, (end - begin) * filters_, false);
            }
        });
    }

    static constexpr std::int64_t kGrain = 1024;  // pixels

    dnnl::convolution_backward_data::primitive_desc desc_;
    std::int64_t pixels_;
    std::int64_t filters_;
    bool bias_;
    bool relu_;
    bool staged_;  // oneDNN writes float32 to the workspace, and the second pass rounds it
    Layout layout_;
    std::uint64_t staging_;
    std::uint64_t scratchpad_;
    PhaseKernels kernels_;
    StagedInput small_;
    Operation convolution_;
};

class PhaseBackwardData : public ConvPass {
public:
    PhaseBackwardData(const dnnl::engine& engine, const ConvGeometry& phases, bool accumulate)
        : ConvPass(phases.computed, direct_flops(phases)),
          phases_(phases),
          accumulate_(accumulate),
          staged_(phases.written_output() != phases.stored_output()),
          desc_(describe_small(engine, phases, accumulate && !staged_)),
          staging_(layout_.take(staged_ ? desc_.dst_desc().get_size() : 0)),
          scratchpad_(layout_.take(desc_.scratchpad_desc().get_size())),
          kernels_(engine, phases, desc_.weights_desc(), layout_),
          large_(engine, phases.stored_input(), desc_.src_desc(), layout_),
          convolution_(engine, dnnl::convolution_forward(desc_),
                       {{DNNL_ARG_SRC, desc_.src_desc()},
                        {DNNL_ARG_WEIGHTS, desc_.weights_desc()},
                        {DNNL_ARG_DST, desc_.dst_desc()},
                        {DNNL_ARG_SCRATCHPAD, desc_.scratchpad_desc()}}) {}
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return phases_of(desc_.impl_info_str()); }
    void run(const sluice_launch& launch) override {
        void* const gradient = launch.input_gradients[0];
        convolution_.execute({{DNNL_ARG_SRC, large_.stage(launch, launch.output_gradients[0])},
                              {DNNL_ARG_WEIGHTS, kernels_.get(launch, sdk::parameter(launch, 0))},
                              {DNNL_ARG_DST, staged_ ? at(launch, staging_) : gradient},
                              {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
        if (staged_) {
            store_gradient_as(launch.threads, phases_.output, at(launch, staging_), gradient, phases_.output_count(),
                              accumulate_);
        }
    }

private:
    ConvGeometry phases_;
    bool accumulate_;
    bool staged_;  // oneDNN writes to the workspace in float32, and a second pass rounds it
    dnnl::convolution_forward::primitive_desc desc_;
    Layout layout_;
    std::uint64_t staging_;
    std::uint64_t scratchpad_;
    PhaseKernels kernels_;
    StagedInput large_;
    Operation convolution_;
};

}  // namespace

std::unique_ptr<ConvPass> make_phase_forward(const dnnl::engine& engine, const ConvGeometry& geometry) {
    return std::make_unique<PhaseForward>(engine, geometry, phase_geometry(geometry));
}

std::unique_ptr<ConvPass> make_phase_backward_data(const dnnl::engine& engine, const ConvGeometry& geometry,
                                                   bool accumulate) {
    return std::make_unique<PhaseBackwardData>(engine, phase_geometry(geometry), accumulate);
}

}  // namespace sluice::onednn
