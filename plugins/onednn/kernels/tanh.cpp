// tanh: oneDNN's vector tanh forward; backward from the result, 1 - y^2.
#include "kernels/kernels.hpp"
#include "library/operation.hpp"
#include "math/elementwise.hpp"

namespace sluice::onednn {
namespace {

Md flat(std::int64_t count) { return {{count}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::x}; }

class Tanh : public sdk::Kernel {
public:
    explicit Tanh(const PlanContext& context)
        : Tanh(context, eltwise_forward_desc(context.engine, user_scratchpad(), dnnl::algorithm::eltwise_tanh,
                                             flat(sdk::element_count(context.chain[0].outputs()[0])))) {}

    void forward(const sluice_launch& launch) override {
        tanh_.execute({{DNNL_ARG_SRC, sdk::input<float>(launch, 0)},
                       {DNNL_ARG_DST, sdk::output<float>(launch, 0)},
                       {DNNL_ARG_SCRATCHPAD, launch.workspace}});
    }

    void backward(const sluice_launch& launch) override {
        float* to = sdk::input_gradient<float>(launch, 0);
        if (to == nullptr) {
            return;
        }
        for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
            tanh_gradient(to + begin, sdk::output<float>(launch, 0) + begin,
                          sdk::output_gradient<float>(launch, 0) + begin, count, accumulates_);
        });
    }

private:
    Tanh(const PlanContext& context, const dnnl::eltwise_forward::primitive_desc& desc)
        : count_(sdk::element_count(context.chain[0].outputs()[0])),
          accumulates_(context.chain[0].accumulates_gradient(0)),
          tanh_(context.engine, dnnl::eltwise_forward(desc),
                {{DNNL_ARG_SRC, desc.src_desc()},
                 {DNNL_ARG_DST, desc.dst_desc()},
                 {DNNL_ARG_SCRATCHPAD, desc.scratchpad_desc()}}) {
        context.sink.workspace(desc.scratchpad_desc().get_size());
        if (context.chain[0].trains()) {
            context.sink.backward_reads_output(0);
        }
        context.sink.may_overwrite(0, 0);
        context.sink.may_overwrite_gradient(0, 0);
        context.sink.note(std::string("fwd ") + desc.impl_info_str() + ", bwd own vector loops");
    }

    std::int64_t count_;
    bool accumulates_;
    Operation tanh_;
};

}  // namespace

KernelPtr make_tanh(const PlanContext& context) { return std::make_unique<Tanh>(context); }

}  // namespace sluice::onednn
