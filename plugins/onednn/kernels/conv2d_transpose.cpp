// conv2d_transpose: oneDNN's deconvolution, which runs a convolution's other directions.
#include <algorithm>
#include <optional>
#include <string>

#include "conv/packed_weights.hpp"
#include "conv/transpose_geometry.hpp"
#include "kernels/kernels.hpp"
#include "math/elementwise.hpp"
#include "workspace.hpp"

namespace sluice::onednn {
namespace {

using ForwardDesc = dnnl::deconvolution_forward::primitive_desc;
using Arguments = std::initializer_list<Operation::Argument>;

class Conv2dTranspose : public sdk::Kernel {
public:
    explicit Conv2dTranspose(const PlanContext& context) : geometry_(context.chain[0]) {
        const sdk::Node node = context.chain[0];
        const auto desc = transpose_forward_desc(context.engine, user_scratchpad(), geometry_.desc());
        forward_weights_.emplace(
            context.engine, WeightLayouts{geometry_.canonical_weights(), desc.weights_desc(), node.trains()}, layout_);
        forward_.emplace(context.engine, dnnl::deconvolution_forward(desc),
                         Arguments{{DNNL_ARG_SRC, desc.src_desc()},
                                   {DNNL_ARG_WEIGHTS, desc.weights_desc()},
                                   {DNNL_ARG_BIAS, desc.bias_desc()},
                                   {DNNL_ARG_DST, desc.dst_desc()},
                                   {DNNL_ARG_SCRATCHPAD, desc.scratchpad_desc()}});
        note(desc, "fwd ");
        if (node.trains()) {
            if (node.wants_gradient(0)) {
                plan_data(context, desc);
            }
            plan_weights(context, desc);
            context.sink.backward_reads_input(0);
        }
        scratchpad_ = layout_.take(scratchpad_bytes_);
        context.sink.workspace(layout_.size());
        context.sink.note(note_);
    }

    void forward(const sluice_launch& launch) override {
        forward_->execute({{DNNL_ARG_SRC, sdk::input<float>(launch, 0)},
                           {DNNL_ARG_WEIGHTS, forward_weights_->get(launch, sdk::parameter(launch, 0))},
                           {DNNL_ARG_BIAS, geometry_.bias ? sdk::parameter(launch, 1) : nullptr},
                           {DNNL_ARG_DST, sdk::output<float>(launch, 0)},
                           {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
    }

    void backward(const sluice_launch& launch) override {
        const bool bias_wanted = geometry_.bias && launch.parameter_gradients[1] != nullptr;
        if (launch.parameter_gradients[0] != nullptr || bias_wanted) {
            backward_weights(launch);
        }
        if (data_ && launch.input_gradients[0] != nullptr) {
            backward_data(launch);
        }
    }

private:
    template <class Desc>
    void note(const Desc& desc, const char* direction) {
        note_ += std::string(note_.empty() ? "" : ", ") + direction + desc.impl_info_str();
        scratchpad_bytes_ = std::max<std::uint64_t>(scratchpad_bytes_, desc.scratchpad_desc().get_size());
    }

    void plan_data(const PlanContext& context, const ForwardDesc& hint) {
        const auto desc = transpose_backward_data_desc(context.engine, user_scratchpad(), geometry_.desc(), hint);
        data_weights_.emplace(context.engine, WeightLayouts{geometry_.canonical_weights(), desc.weights_desc(), true},
                              layout_);
        data_.emplace(context.engine, dnnl::deconvolution_backward_data(desc),
                      Arguments{{DNNL_ARG_DIFF_SRC, desc.diff_src_desc()},
                                {DNNL_ARG_WEIGHTS, desc.weights_desc()},
                                {DNNL_ARG_DIFF_DST, desc.diff_dst_desc()},
                                {DNNL_ARG_SCRATCHPAD, desc.scratchpad_desc()}});
        accumulates_ = context.chain[0].accumulates_gradient(0);
        source_ = layout_.take(accumulates_ ? desc.diff_src_desc().get_size() : 0);
        note(desc, "bwd_d ");
    }

    void plan_weights(const PlanContext& context, const ForwardDesc& hint) {
        const auto desc = transpose_backward_weights_desc(context.engine, user_scratchpad(), geometry_.desc(), hint);
        weights_.emplace(context.engine, dnnl::deconvolution_backward_weights(desc),
                         Arguments{{DNNL_ARG_SRC, desc.src_desc()},
                                   {DNNL_ARG_DIFF_WEIGHTS, desc.diff_weights_desc()},
                                   {DNNL_ARG_DIFF_BIAS, desc.diff_bias_desc()},
                                   {DNNL_ARG_DIFF_DST, desc.diff_dst_desc()},
                                   {DNNL_ARG_SCRATCHPAD, desc.scratchpad_desc()}});
        write_.emplace(make_reorder(context.engine, desc.diff_weights_desc(), geometry_.canonical_weights()));
        add_.emplace(make_reorder(context.engine, desc.diff_weights_desc(), geometry_.canonical_weights(), true));
        kernel_ = layout_.take(desc.diff_weights_desc().get_size());
        bias_ = layout_.take(desc.diff_bias_desc().get_size());
        note(desc, "bwd_w ");
    }

    void backward_weights(const sluice_launch& launch) {
        const bool add = launch.accumulate_parameters != 0;
        weights_->execute({{DNNL_ARG_SRC, sdk::input<float>(launch, 0)},
                           {DNNL_ARG_DIFF_WEIGHTS, at(launch, kernel_)},
                           {DNNL_ARG_DIFF_BIAS, at(launch, bias_)},
                           {DNNL_ARG_DIFF_DST, sdk::output_gradient<float>(launch, 0)},
                           {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
        if (float* gradient = sdk::parameter_gradient(launch, 0)) {
            (add ? add_ : write_)->execute({{DNNL_ARG_FROM, at(launch, kernel_)}, {DNNL_ARG_TO, gradient}});
        }
        if (float* gradient = geometry_.bias ? sdk::parameter_gradient(launch, 1) : nullptr) {
            store_gradient(gradient, at(launch, bias_), geometry_.filters, add);
        }
    }

    void backward_data(const sluice_launch& launch) {
        float* const gradient = sdk::input_gradient<float>(launch, 0);
        float* const to = accumulates_ ? at(launch, source_) : gradient;
        data_->execute({{DNNL_ARG_DIFF_SRC, to},
                        {DNNL_ARG_WEIGHTS, data_weights_->get(launch, sdk::parameter(launch, 0))},
                        {DNNL_ARG_DIFF_DST, sdk::output_gradient<float>(launch, 0)},
                        {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
        if (accumulates_) {
            add_all(launch.threads, gradient, to, geometry_.input_count());
        }
    }

    TransposeGeometry geometry_;
    bool accumulates_ = false;
    std::string note_;
    Layout layout_;
    std::uint64_t source_ = 0;  // staged gradients
    std::uint64_t kernel_ = 0;
    std::uint64_t bias_ = 0;
    std::uint64_t scratchpad_ = 0;
    std::uint64_t scratchpad_bytes_ = 0;
    std::optional<PackedWeights> forward_weights_;
    std::optional<PackedWeights> data_weights_;
    std::optional<Operation> forward_;
    std::optional<Operation> data_;
    std::optional<Operation> weights_;
    std::optional<Operation> write_;  // the kernel's gradient to the canonical layout
    std::optional<Operation> add_;    // the same, adding to what is there
};

}  // namespace

KernelPtr make_conv2d_transpose(const PlanContext& context) { return std::make_unique<Conv2dTranspose>(context); }

}  // namespace sluice::onednn
