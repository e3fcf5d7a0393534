// dense: oneDNN's inner product on x [M, I], y [M, O]. Weights stay in their canonical layout [O, I]: each direction
// reads them once per step, so packing them would cost what it saves.
#include <algorithm>
#include <optional>
#include <string>

#include "kernels/kernels.hpp"
#include "library/operation.hpp"
#include "library/workspace.hpp"
#include "math/elementwise.hpp"

namespace sluice::onednn {
namespace {

ProductDesc describe(const sdk::Node& node) {
    constexpr auto kFloat = dnnl::memory::data_type::f32;
    using Tag = dnnl::memory::format_tag;
    const std::int64_t units = node.parameters()[0].shape[0];
    const std::int64_t features = node.parameters()[0].shape[1];
    const std::int64_t rows = sdk::element_count(node.inputs()[0]) / features;
    return {.source = {{rows, features}, kFloat, Tag::nc},
            .weights = {{units, features}, kFloat, Tag::oi},
            .bias = node.parameters().size() > 1 ? Md({units}, kFloat, Tag::x) : Md(),
            .destination = {{rows, units}, kFloat, Tag::nc}};
}

std::int64_t count_of(const Md& desc) { return static_cast<std::int64_t>(desc.get_size() / sizeof(float)); }

class Dense : public sdk::Kernel {
public:
    explicit Dense(const PlanContext& context) : product_(describe(context.chain[0])) {
        const sdk::Node node = context.chain[0];
        const auto desc = product_forward_desc(context.engine, user_scratchpad(), product_);
        forward_.emplace(context.engine, dnnl::inner_product_forward(desc),
                         Arguments{{DNNL_ARG_SRC, product_.source},
                                   {DNNL_ARG_WEIGHTS, product_.weights},
                                   {DNNL_ARG_BIAS, product_.bias},
                                   {DNNL_ARG_DST, product_.destination},
                                   {DNNL_ARG_SCRATCHPAD, desc.scratchpad_desc()}});
        scratchpad_bytes_ = desc.scratchpad_desc().get_size();
        note_ = std::string("fwd ") + desc.impl_info_str();
        if (node.trains()) {
            plan_data(context, desc);
            plan_weights(context, desc);
            context.sink.backward_reads_input(0);
        }
        scratchpad_ = layout_.take(scratchpad_bytes_);
        context.sink.workspace(layout_.size());
        context.sink.note(note_);
    }

    void forward(const sluice_launch& launch) override {
        forward_->execute({{DNNL_ARG_SRC, sdk::input<float>(launch, 0)},
                           {DNNL_ARG_WEIGHTS, sdk::parameter(launch, 0)},
                           {DNNL_ARG_BIAS, has_bias() ? sdk::parameter(launch, 1) : nullptr},
                           {DNNL_ARG_DST, sdk::output<float>(launch, 0)},
                           {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
    }

    void backward(const sluice_launch& launch) override {
        float* const kernel = sdk::parameter_gradient(launch, 0);
        float* const bias = has_bias() ? sdk::parameter_gradient(launch, 1) : nullptr;
        if (kernel != nullptr || bias != nullptr) {
            backward_weights(launch, kernel, bias);
        }
        if (data_ && launch.input_gradients[0] != nullptr) {
            backward_data(launch);
        }
    }

private:
    using Arguments = std::initializer_list<Operation::Argument>;
    using ForwardDesc = dnnl::inner_product_forward::primitive_desc;

    [[nodiscard]] bool has_bias() const { return product_.bias.get_size() > 0; }

    void plan_data(const PlanContext& context, const ForwardDesc& hint) {
        const sdk::Node node = context.chain[0];
        if (!node.wants_gradient(0)) {
            return;
        }
        const auto desc = product_backward_data_desc(context.engine, user_scratchpad(), product_, hint);
        data_.emplace(context.engine, dnnl::inner_product_backward_data(desc),
                      Arguments{{DNNL_ARG_DIFF_SRC, product_.source},
                                {DNNL_ARG_WEIGHTS, product_.weights},
                                {DNNL_ARG_DIFF_DST, product_.destination},
                                {DNNL_ARG_SCRATCHPAD, desc.scratchpad_desc()}});
        accumulates_ = node.accumulates_gradient(0);
        source_ = layout_.take(accumulates_ ? product_.source.get_size() : 0);
        scratchpad_bytes_ = std::max<std::uint64_t>(scratchpad_bytes_, desc.scratchpad_desc().get_size());
        note_ += std::string(", bwd_d ") + desc.impl_info_str();
    }

    void plan_weights(const PlanContext& context, const ForwardDesc& hint) {
        const auto desc = product_backward_weights_desc(context.engine, user_scratchpad(), product_, hint);
        weights_.emplace(context.engine, dnnl::inner_product_backward_weights(desc),
                         Arguments{{DNNL_ARG_SRC, product_.source},
                                   {DNNL_ARG_DIFF_WEIGHTS, product_.weights},
                                   {DNNL_ARG_DIFF_BIAS, product_.bias},
                                   {DNNL_ARG_DIFF_DST, product_.destination},
                                   {DNNL_ARG_SCRATCHPAD, desc.scratchpad_desc()}});
        kernel_ = layout_.take(product_.weights.get_size());
        bias_ = layout_.take(product_.bias.get_size());
        scratchpad_bytes_ = std::max<std::uint64_t>(scratchpad_bytes_, desc.scratchpad_desc().get_size());
        note_ += std::string(", bwd_w ") + desc.impl_info_str();
    }

    // A gradient that is wanted and does not accumulate is written directly; else it goes through the workspace.
    void backward_weights(const sluice_launch& launch, float* kernel, float* bias) {
        const bool add = launch.accumulate_parameters != 0;
        float* const kernel_to = kernel != nullptr && !add ? kernel : at(launch, kernel_);
        float* const bias_to = bias != nullptr && !add ? bias : at(launch, bias_);
        weights_->execute({{DNNL_ARG_SRC, sdk::input<float>(launch, 0)},
                           {DNNL_ARG_DIFF_WEIGHTS, kernel_to},
                           {DNNL_ARG_DIFF_BIAS, bias_to},
                           {DNNL_ARG_DIFF_DST, sdk::output_gradient<float>(launch, 0)},
                           {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
        if (add && kernel != nullptr) {
            add_all(launch.threads, kernel, kernel_to, count_of(product_.weights));
        }
        if (add && bias != nullptr) {
            add_all(launch.threads, bias, bias_to, count_of(product_.bias));
        }
    }

    void backward_data(const sluice_launch& launch) {
        float* const gradient = sdk::input_gradient<float>(launch, 0);
        float* const to = accumulates_ ? at(launch, source_) : gradient;
        data_->execute({{DNNL_ARG_DIFF_SRC, to},
                        {DNNL_ARG_WEIGHTS, sdk::parameter(launch, 0)},
                        {DNNL_ARG_DIFF_DST, sdk::output_gradient<float>(launch, 0)},
                        {DNNL_ARG_SCRATCHPAD, at(launch, scratchpad_)}});
        if (accumulates_) {
            add_all(launch.threads, gradient, to, count_of(product_.source));
        }
    }

    ProductDesc product_;
    bool accumulates_ = false;
    std::string note_;
    Layout layout_;
    std::uint64_t source_ = 0;  // offsets of staged gradients
    std::uint64_t kernel_ = 0;
    std::uint64_t bias_ = 0;
    std::uint64_t scratchpad_ = 0;
    std::uint64_t scratchpad_bytes_ = 0;
    std::optional<Operation> forward_;
    std::optional<Operation> data_;
    std::optional<Operation> weights_;
};

}  // namespace

KernelPtr make_dense(const PlanContext& context) { return std::make_unique<Dense>(context); }

}  // namespace sluice::onednn
