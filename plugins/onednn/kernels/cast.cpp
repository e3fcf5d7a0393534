// cast: the same numbers in another element type, rounded to the nearest; gradients go back in the input's type.
#include "kernels/kernels.hpp"
#include "math/conversions.hpp"
#include "math/elementwise.hpp"

namespace sluice::onednn {
namespace {

template <class From, class To>
class Cast : public sdk::Kernel {
public:
    explicit Cast(const PlanContext& context)
        : count_(sdk::element_count(context.chain[0].outputs()[0])),
          accumulates_(context.chain[0].accumulates_gradient(0)) {
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
            convert(sdk::output<To>(launch, 0) + begin, sdk::input<From>(launch, 0) + begin, count, false);
        });
    }

    void backward(const sluice_launch& launch) override {
        From* const to = sdk::input_gradient<From>(launch, 0);
        if (to == nullptr) {
            return;
        }
        for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
            convert(to + begin, sdk::output_gradient<To>(launch, 0) + begin, count, accumulates_);
        });
    }

private:
    std::int64_t count_;
    bool accumulates_;
};

template <class From>
KernelPtr make_cast_from(const PlanContext& context) {
    const sluice_dtype to = context.chain[0].outputs()[0].dtype;
    if (sdk::same(to, sdk::kBfloat16)) {
        return std::make_unique<Cast<From, Bfloat16>>(context);
    }
    if (sdk::same(to, sdk::kFloat16)) {
        return std::make_unique<Cast<From, Float16>>(context);
    }
    return std::make_unique<Cast<From, float>>(context);
}

}  // namespace

KernelPtr make_cast(const PlanContext& context) {
    const sluice_dtype from = context.chain[0].inputs()[0].dtype;
    if (sdk::same(from, sdk::kBfloat16)) {
        return make_cast_from<Bfloat16>(context);
    }
    if (sdk::same(from, sdk::kFloat16)) {
        return make_cast_from<Float16>(context);
    }
    return make_cast_from<float>(context);
}

}  // namespace sluice::onednn
