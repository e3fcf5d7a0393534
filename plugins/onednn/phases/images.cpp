// The directions that give an image.
#include "phases/passes.hpp"

#include <string>

#include "math/rows.hpp"
#include "phases/kernels.hpp"

namespace sluice::onednn {
namespace {

std::string phases_of(const char* implementation) { return implementation + std::string(" of 4 phases"); }

dnnl::convolution_forward::primitive_desc describe_small(const dnnl::engine& engine, const ConvGeometry& phases,
                                                         bool accumulate) {
    dnnl::primitive_attr attr = user_scratchpad();
    if (accumulate) {
        dnnl::post_ops sum;
        sum.append_sum(1.0F);
        attr.set_post_ops(sum);
    }
    return conv_forward_desc(engine, attr, phases.desc(phases.source(), Md(), phases.destination()));
}

dnnl::convolution_backward_data::primitive_desc describe_large(const dnnl::engine& engine, const ConvGeometry& phases) {
    return conv_backward_data_desc(engine, user_scratchpad(), phases.desc(phases.source(), Md(), phases.destination()),
                                   describe_small(engine, phases, false));
}

// For oneDNN the gradient of a convolution's input, which has neither bias nor relu: those are a second pass.
class PhaseForward : public ConvPass {
public:
    PhaseForward(const dnnl::engine& engine, const ConvGeometry& geometry, const ConvGeometry& phases)
        : desc_(describe_large(engine, phases)),
          pixels_(phases.batch * phases.source_height() * phases.source_width()),
          filters_(phases.channels),
          bias_(geometry.bias),
          relu_(geometry.relu),
          scratchpad_(layout_.take(desc_.scratchpad_desc().get_size())),
          kernels_(engine, phases, desc_.weights_desc(), layout_),
          convolution_(engine, dnnl::convolution_backward_data(desc_),
                       {{DNNL_ARG_DIFF_SRC, desc_.diff_src_desc()},
                        {DNNL_ARG_WEIGHTS, desc_.weights_desc()},
                        {DNNL_ARG_DIFF_DST, desc_.diff_dst_desc()},
                        {DNNL_ARG_SCRATCHPAD, desc_.scratchpad_desc()}}) {}
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return phases_of(desc_.impl_info_str()); }
    [[nodiscard]] bool keeps_kernels() const override { return true; }
    void run(const sluice_launch& launch) override {
        float* output = sdk::output<float>(launch, 0);
        convolution_.execute({{DNNL_ARG_DIFF_SRC, output},
                              {DNNL_ARG_WEIGHTS, kernels_.get(launch, sdk::parameter(launch, 0))},
                              {DNNL_ARG_DIFF_DST, sdk::input<float>(launch, 0)},
                              {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
        if (bias_ || relu_) {
            shift(launch, output);
        }
    }

private:
    void shift(const sluice_launch& launch, float* output) const {
        sdk::parallel_for(launch.threads, pixels_, kGrain, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            shift_rows(output + begin * filters_, bias_ ? sdk::parameter(launch, 1) : nullptr, {end - begin, filters_},
                       relu_);
        });
    }

    static constexpr std::int64_t kGrain = 1024;  // pixels

    dnnl::convolution_backward_data::primitive_desc desc_;
    std::int64_t pixels_;
    std::int64_t filters_;
    bool bias_;
    bool relu_;
    Layout layout_;
    std::uint64_t scratchpad_;
    PhaseKernels kernels_;
    Operation convolution_;
};

class PhaseBackwardData : public ConvPass {
public:
    PhaseBackwardData(const dnnl::engine& engine, const ConvGeometry& phases, bool accumulate)
        : desc_(describe_small(engine, phases, accumulate)),
          scratchpad_(layout_.take(desc_.scratchpad_desc().get_size())),
          kernels_(engine, phases, desc_.weights_desc(), layout_),
          convolution_(engine, dnnl::convolution_forward(desc_),
                       {{DNNL_ARG_SRC, desc_.src_desc()},
                        {DNNL_ARG_WEIGHTS, desc_.weights_desc()},
                        {DNNL_ARG_DST, desc_.dst_desc()},
                        {DNNL_ARG_SCRATCHPAD, desc_.scratchpad_desc()}}) {}
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return phases_of(desc_.impl_info_str()); }
    void run(const sluice_launch& launch) override {
        convolution_.execute({{DNNL_ARG_SRC, sdk::output_gradient<float>(launch, 0)},
                              {DNNL_ARG_WEIGHTS, kernels_.get(launch, sdk::parameter(launch, 0))},
                              {DNNL_ARG_DST, sdk::input_gradient<float>(launch, 0)},
                              {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
    }

private:
    dnnl::convolution_forward::primitive_desc desc_;
    Layout layout_;
    std::uint64_t scratchpad_;
    PhaseKernels kernels_;
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
