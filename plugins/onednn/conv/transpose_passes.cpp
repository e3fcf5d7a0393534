#include "conv/transpose_passes.hpp"

#include "conv/arithmetic.hpp"
#include "conv/packed_weights.hpp"
#include "conv/source.hpp"
#include "conv/staged.hpp"
#include "conv/stored_gradient.hpp"

namespace sluice::onednn {
namespace {

// oneDNN sums in float32 and can write float32 from any type, but it writes bfloat16 only if it reads bfloat16.
auto describe_forward(const dnnl::engine& engine, const TransposeGeometry& geometry) {
    const DataType written = geometry.computed == DataType::f32 ? DataType::f32 : geometry.output;
    return transpose_forward_desc(
        engine, user_scratchpad(),
        geometry.desc(geometry.source(geometry.computed), geometry.destination(written), geometry.computed));
}

class TransposeForward : public ConvPass {
public:
    TransposeForward(const dnnl::engine& engine, const TransposeGeometry& geometry)
        : ConvPass(geometry.computed, direct_flops(geometry)),
          desc_(describe_forward(engine, geometry)),
          bias_(geometry.bias),
          scratchpad_(layout_.take(desc_.scratchpad_desc().get_size())),
          source_(engine, geometry.source(geometry.input), desc_.src_desc(), layout_),
          weights_(engine, {geometry.canonical_weights(), desc_.weights_desc(), geometry.trains}, layout_),
          convolution_(engine, dnnl::deconvolution_forward(desc_),
                       {{DNNL_ARG_SRC, desc_.src_desc()},
                        {DNNL_ARG_WEIGHTS, desc_.weights_desc()},
                        {DNNL_ARG_BIAS, desc_.bias_desc()},
                        {DNNL_ARG_DST, desc_.dst_desc()},
                        {DNNL_ARG_SCRATCHPAD, desc_.scratchpad_desc()}}),
          result_(engine, desc_.dst_desc(), geometry.destination(geometry.output), layout_) {}
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return desc_.impl_info_str(); }
    void run(const sluice_launch& launch) override {
        convolution_.execute({{DNNL_ARG_SRC, source_.stage(launch, launch.inputs[0])},
                              {DNNL_ARG_WEIGHTS, weights_.get(launch, sdk::parameter(launch, 0))},
                              {DNNL_ARG_BIAS, bias_ ? sdk::parameter(launch, 1) : nullptr},
                              {DNNL_ARG_DST, result_.target(launch, launch.outputs[0])},
                              {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
        result_.store(launch, launch.outputs[0]);
    }

private:
    dnnl::deconvolution_forward::primitive_desc desc_;
    bool bias_;
    Layout layout_;
    std::uint64_t scratchpad_;
    StagedInput source_;
    PackedWeights weights_;
    Operation convolution_;
    StagedOutput result_;
};

class TransposeBackwardData : public ConvPass {
public:
    TransposeBackwardData(const dnnl::engine& engine, const TransposeGeometry& geometry, bool accumulate)
        : ConvPass(geometry.computed, direct_flops(geometry)),
          geometry_(geometry),
          accumulate_(accumulate),
          staged_(accumulate || geometry.input != geometry.computed),
          desc_(describe(engine, geometry, staged_)),
          staging_(layout_.take(staged_ ? desc_.diff_src_desc().get_size() : 0)),
          scratchpad_(layout_.take(desc_.scratchpad_desc().get_size())),
          weights_(engine, {geometry.canonical_weights(), desc_.weights_desc(), geometry.trains}, layout_),
          gradient_(engine, geometry.destination(geometry.output), desc_.diff_dst_desc(), layout_),
          convolution_(engine, dnnl::deconvolution_backward_data(desc_),
                       {{DNNL_ARG_DIFF_SRC, desc_.diff_src_desc()},
                        {DNNL_ARG_WEIGHTS, desc_.weights_desc()},
                        {DNNL_ARG_DIFF_DST, desc_.diff_dst_desc()},
                        {DNNL_ARG_SCRATCHPAD, desc_.scratchpad_desc()}}) {}
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return desc_.impl_info_str(); }
    void run(const sluice_launch& launch) override {
        void* const gradient = launch.input_gradients[0];
        convolution_.execute({{DNNL_ARG_DIFF_SRC, staged_ ? at(launch, staging_) : gradient},
                              {DNNL_ARG_WEIGHTS, weights_.get(launch, sdk::parameter(launch, 0))},
                              {DNNL_ARG_DIFF_DST, gradient_.stage(launch, launch.output_gradients[0])},
                              {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
        if (staged_) {
            store_gradient_as(launch.threads, geometry_.input, at(launch, staging_), gradient, geometry_.input_count(),
                              accumulate_);
        }
    }

private:
    // A gradient that accumulates must be rounded only once, after the sum, so oneDNN writes it in float32 to the
    // workspace.
    static dnnl::deconvolution_backward_data::primitive_desc describe(const dnnl::engine& engine,
                                                                      const TransposeGeometry& geometry, bool staged) {
        const DataType written = staged ? DataType::f32 : geometry.computed;
        return transpose_backward_data_desc(
            engine, user_scratchpad(),
            geometry.desc(geometry.source(written), geometry.destination(geometry.computed), geometry.computed),
            describe_forward(engine, geometry));
    }

    TransposeGeometry geometry_;
    bool accumulate_;
    bool staged_;
    dnnl::deconvolution_backward_data::primitive_desc desc_;
    Layout layout_;
    std::uint64_t staging_;
    std::uint64_t scratchpad_;
    PackedWeights weights_;
    StagedInput gradient_;
    Operation convolution_;
};

class TransposeBackwardWeights : public ConvPass {
public:
    TransposeBackwardWeights(const dnnl::engine& engine, const TransposeGeometry& geometry)
        : ConvPass(geometry.computed, direct_flops(geometry)),
          desc_(transpose_backward_weights_desc(
              engine, user_scratchpad(),
              geometry.desc(geometry.source(geometry.computed), geometry.destination(geometry.computed), DataType::f32),
              describe_forward(engine, geometry))),
          scratchpad_(layout_.take(desc_.scratchpad_desc().get_size())),
          source_(engine, geometry.source(geometry.input), desc_.src_desc(), layout_),
          gradient_(engine, geometry.destination(geometry.output), desc_.diff_dst_desc(), layout_),
          stored_(engine, desc_.diff_weights_desc(), desc_.diff_bias_desc(), geometry.canonical_weights(), layout_),
          convolution_(engine, dnnl::deconvolution_backward_weights(desc_),
                       {{DNNL_ARG_SRC, desc_.src_desc()},
                        {DNNL_ARG_DIFF_WEIGHTS, desc_.diff_weights_desc()},
                        {DNNL_ARG_DIFF_BIAS, desc_.diff_bias_desc()},
                        {DNNL_ARG_DIFF_DST, desc_.diff_dst_desc()},
                        {DNNL_ARG_SCRATCHPAD, desc_.scratchpad_desc()}}) {}
    [[nodiscard]] std::uint64_t workspace() const override { return layout_.size(); }
    [[nodiscard]] std::string name() const override { return desc_.impl_info_str(); }
    void run(const sluice_launch& launch) override {
        convolution_.execute({{DNNL_ARG_SRC, source_.stage(launch, launch.inputs[0])},
                              {DNNL_ARG_DIFF_WEIGHTS, stored_.weights(launch)},
                              {DNNL_ARG_DIFF_BIAS, stored_.bias(launch)},
                              {DNNL_ARG_DIFF_DST, gradient_.stage(launch, launch.output_gradients[0])},
                              {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
        stored_.store(launch);
    }

private:
    dnnl::deconvolution_backward_weights::primitive_desc desc_;
    Layout layout_;
    std::uint64_t scratchpad_;
    StagedInput source_;
    StagedInput gradient_;
    StoredWeightGradient stored_;
    Operation convolution_;
};

}  // namespace

std::unique_ptr<ConvPass> make_transpose_forward(const dnnl::engine& engine, const TransposeGeometry& geometry) {
    return std::make_unique<TransposeForward>(engine, geometry);
}

std::unique_ptr<ConvPass> make_transpose_backward_data(const dnnl::engine& engine, const TransposeGeometry& geometry,
                                                       bool accumulate) {
    return std::make_unique<TransposeBackwardData>(engine, geometry, accumulate);
}

std::unique_ptr<ConvPass> make_transpose_weight_gradient(const dnnl::engine& engine,
                                                         const TransposeGeometry& geometry) {
    return std::make_unique<TransposeBackwardWeights>(engine, geometry);
}

}  // namespace sluice::onednn
