#include <string>

#include "conv/bias_gradient.hpp"
#include "conv/staged.hpp"
#include "conv/weight_gradient.hpp"
#include "phases/kernels.hpp"
#include "phases/passes.hpp"

namespace sluice::onednn {
namespace {

dnnl::convolution_backward_weights::primitive_desc describe_kernels(const dnnl::engine& engine,
                                                                    const ConvGeometry& phases) {
    const auto tag = weight_gradient_layout(phases);
    const ConvDesc forward = phases.desc(phases.source(tag), Md(), phases.destination(tag));
    return conv_backward_weights_desc(engine, user_scratchpad(), phases.weight_gradient_desc(tag),
                                      conv_forward_desc(engine, user_scratchpad(), forward));
}

class PhaseWeightGradient : public ConvPass {
public:
    PhaseWeightGradient(const dnnl::engine& engine, const ConvGeometry& geometry, const ConvGeometry& phases,
                        std::int64_t threads)
        : ConvPass(phases.computed),
          phases_(phases),
          has_bias_(geometry.bias),
          desc_(describe_kernels(engine, phases)),
          large_(engine, phases.stored_input(), desc_.src_desc(), layout_),
          small_(engine, phases.stored_output(), desc_.diff_dst_desc(), layout_),
          packed_(layout_.take(desc_.diff_weights_desc().get_size())),
          plain_(layout_.take(plain_phase_kernels(phases).get_size())),
          scratchpad_(layout_.take(desc_.scratchpad_desc().get_size())),
          convolution_(engine, dnnl::convolution_backward_weights(desc_),
                       {{DNNL_ARG_SRC, desc_.src_desc()},
                        {DNNL_ARG_DIFF_WEIGHTS, desc_.diff_weights_desc()},
                        {DNNL_ARG_DIFF_DST, desc_.diff_dst_desc()},
                        {DNNL_ARG_SCRATCHPAD, desc_.scratchpad_desc()}}),
          unpack_(make_reorder(engine, desc_.diff_weights_desc(), plain_phase_kernels(phases))),
          bias_(geometry, threads, layout_) {}
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return desc_.impl_info_str() + std::string(" of 4 phases"); }
    void run(const sluice_launch& launch) override {
        const bool add = launch.accumulate_parameters != 0;
        const void* large = launch.output_gradients[0];
        if (float* gradient = sdk::parameter_gradient(launch, 0)) {
            convolution_.execute({{DNNL_ARG_SRC, large_.stage(launch, large)},
                                  {DNNL_ARG_DIFF_WEIGHTS, at(launch, packed_)},
                                  {DNNL_ARG_DIFF_DST, small_.stage(launch, launch.inputs[0])},
                                  {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
            unpack_.execute({{DNNL_ARG_FROM, at(launch, packed_)}, {DNNL_ARG_TO, at(launch, plain_)}});
            sum_phase_gradients(launch.threads, phases_, at(launch, plain_), gradient, add);
        }
        if (float* gradient = has_bias_ ? sdk::parameter_gradient(launch, 1) : nullptr) {
            bias_.run(launch, large, gradient, add);
        }
    }

private:
    ConvGeometry phases_;
    bool has_bias_;
    dnnl::convolution_backward_weights::primitive_desc desc_;
    Layout layout_;
    Staged large_;
    Staged small_;
    std::uint64_t packed_;
    std::uint64_t plain_;
    std::uint64_t scratchpad_;
    Operation convolution_;
    Operation unpack_;
    BiasGradient bias_;
};

}  // namespace

std::unique_ptr<ConvPass> make_phase_weight_gradient(const dnnl::engine& engine, const ConvGeometry& geometry,
                                                     std::int64_t threads) {
    return std::make_unique<PhaseWeightGradient>(engine, geometry, phase_geometry(geometry), threads);
}

}  // namespace sluice::onednn
