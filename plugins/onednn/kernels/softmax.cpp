// softmax over the last axis: forward by oneDNN, which has a vector exp, backward by own loops.
#include <algorithm>
#include <optional>
#include <string>

#include "kernels/kernels.hpp"
#include "library/operation.hpp"
#include "library/workspace.hpp"
#include "math/rows.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kSoftmaxGrain = 8192;

class Softmax : public sdk::Kernel {
public:
    explicit Softmax(const PlanContext& context) : accumulates_(context.chain[0].accumulates_gradient(0)) {
        const sluice_tensor_spec& input = context.chain[0].inputs()[0];
        classes_ = input.shape[input.rank - 1];
        rows_ = sdk::element_count(input) / classes_;
        const Md rows({rows_, classes_}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::ab);
        const auto desc = softmax_forward_desc(context.engine, user_scratchpad(), rows, 1);
        using Arguments = std::initializer_list<Operation::Argument>;
        softmax_.emplace(
            context.engine, SoftmaxForward(desc),
            Arguments{{DNNL_ARG_SRC, rows}, {DNNL_ARG_DST, rows}, {DNNL_ARG_SCRATCHPAD, desc.scratchpad_desc()}});
        context.sink.workspace(desc.scratchpad_desc().get_size());
        context.sink.backward_reads_output(0);
        context.sink.note(std::string("fwd ") + desc.impl_info_str() + ", bwd own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        softmax_->execute({{DNNL_ARG_SRC, sdk::input<float>(launch, 0)},
                           {DNNL_ARG_DST, sdk::output<float>(launch, 0)},
                           {DNNL_ARG_SCRATCHPAD, launch.workspace}});
    }

    // dx = y * (dy - sum of dy * y)
    void backward(const sluice_launch& launch) override {
        float* const gradient = sdk::input_gradient<float>(launch, 0);
        if (gradient == nullptr) {
            return;
        }
        const std::int64_t grain = std::max<std::int64_t>(kSoftmaxGrain / classes_, 1);
        sdk::parallel_for(launch.threads, rows_, grain, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            const std::int64_t first = begin * classes_;
            softmax_gradient(gradient + first, sdk::output<float>(launch, 0) + first,
                             sdk::output_gradient<float>(launch, 0) + first, {end - begin, classes_}, accumulates_);
        });
    }

private:
    bool accumulates_;
    std::int64_t classes_ = 0;
    std::int64_t rows_ = 0;
    std::optional<Operation> softmax_;
};

}  // namespace

KernelPtr make_softmax(const PlanContext& context) { return std::make_unique<Softmax>(context); }

}  // namespace sluice::onednn
