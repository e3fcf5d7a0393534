// scale: the input times a constant factor.
#include "kernels/kernels.hpp"
#include "math/elementwise.hpp"

namespace sluice::onednn {
namespace {

class Scale : public sdk::Kernel {
public:
    explicit Scale(const PlanContext& context)
        : count_(sdk::element_count(context.chain[0].outputs()[0])),
          factor_(static_cast<float>(context.chain[0].options().number("factor"))),
          accumulates_(context.chain[0].accumulates_gradient(0)) {
        context.sink.may_overwrite(0, 0);
        context.sink.may_overwrite_gradient(0, 0);
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
            scale(sdk::output<float>(launch, 0) + begin, sdk::input<float>(launch, 0) + begin, factor_, count, false);
        });
    }

    void backward(const sluice_launch& launch) override {
        float* to = sdk::input_gradient<float>(launch, 0);
        if (to == nullptr) {
            return;
        }
        for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
            scale(to + begin, sdk::output_gradient<float>(launch, 0) + begin, factor_, count, accumulates_);
        });
    }

private:
    std::int64_t count_;
    float factor_;
    bool accumulates_;
};

}  // namespace

KernelPtr make_scale(const PlanContext& context) { return std::make_unique<Scale>(context); }

}  // namespace sluice::onednn
