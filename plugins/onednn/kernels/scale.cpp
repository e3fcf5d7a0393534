// scale: the input times a constant factor.
#include "kernels/element_types.hpp"
#include "math/elementwise.hpp"

namespace sluice::onednn {
namespace {

template <class Element>
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
            scale(sdk::output<Element>(launch, 0) + begin, sdk::input<Element>(launch, 0) + begin, factor_, count,
                  false);
        });
    }

    void backward(const sluice_launch& launch) override {
        Element* to = sdk::input_gradient<Element>(launch, 0);
        if (to == nullptr) {
            return;
        }
        for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
            scale(to + begin, sdk::output_gradient<Element>(launch, 0) + begin, factor_, count, accumulates_);
        });
    }

private:
    std::int64_t count_;
    float factor_;
    bool accumulates_;
};

}  // namespace

KernelPtr make_scale(const PlanContext& context) { return make_typed<Scale>(context); }

}  // namespace sluice::onednn
