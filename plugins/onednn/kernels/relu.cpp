// relu: max(x, 0).
#include "kernels/kernels.hpp"
#include "math/elementwise.hpp"

namespace sluice::onednn {
namespace {

class Relu : public sdk::Kernel {
public:
    explicit Relu(const PlanContext& context)
        : count_(sdk::element_count(context.chain[0].outputs()[0])),
          accumulates_(context.chain[0].accumulates_gradient(0)) {
        if (context.chain[0].trains()) {
            context.sink.backward_reads_output(0);
        }
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
            relu(sdk::output<float>(launch, 0) + begin, sdk::input<float>(launch, 0) + begin, count);
        });
    }

    void backward(const sluice_launch& launch) override {
        float* to = sdk::input_gradient<float>(launch, 0);
        if (to == nullptr) {
            return;
        }
        for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
            relu_gradient(to + begin, sdk::output<float>(launch, 0) + begin,
                          sdk::output_gradient<float>(launch, 0) + begin, count, accumulates_);
        });
    }

private:
    std::int64_t count_;
    bool accumulates_;
};

}  // namespace

KernelPtr make_relu(const PlanContext& context) { return std::make_unique<Relu>(context); }

}  // namespace sluice::onednn
