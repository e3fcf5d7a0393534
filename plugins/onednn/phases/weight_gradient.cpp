#include <string>

#include "conv/arithmetic.hpp"
#include "conv/bias_gradient.hpp"
#include "conv/plain_gradient.hpp"
#include "conv/weight_gradient_layout.hpp"
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
        : ConvPass(phases.computed, direct_flops(phases)),
          phases_(phases),
          has_bias_(geometry.bias),
          desc_(describe_kernels(engine, phases)),
          kernels_(engine, desc_, phases.stored_input(), phases.stored_output(), plain_phase_kernels(phases), layout_),
          bias_(geometry, threads, layout_) {}
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return desc_.impl_info_str() + std::string(" of 4 phases"); }
    void run(const sluice_launch& launch) override {
        const bool add = launch.accumulate_parameters != 0;
        const void* large = launch.output_gradients[0];
        if (float* gradient = sdk::parameter_gradient(launch, 0)) {
            sum_phase_gradients(launch.threads, phases_, kernels_.run(launch, large, launch.inputs[0]), gradient, add);
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
    PlainWeightGradient kernels_;
    BiasGradient bias_;
};

}  // namespace

std::unique_ptr<ConvPass> make_phase_weight_gradient(const dnnl::engine& engine, const ConvGeometry& geometry,
                                                     std::int64_t threads) {
    return std::make_unique<PhaseWeightGradient>(engine, geometry, phase_geometry(geometry), threads);
}

}  // namespace sluice::onednn
