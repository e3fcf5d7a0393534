// upsample with mode "nearest": each pixel becomes a square of `factor` by `factor` equal pixels.
#include <algorithm>

#include "kernels/element_types.hpp"
#include "math/elementwise.hpp"

namespace sluice::onednn {
namespace {

template <class Element>
class Upsample : public sdk::Kernel {
public:
    explicit Upsample(const PlanContext& context)
        : factor_(context.chain[0].options().integer("factor")),
          accumulates_(context.chain[0].accumulates_gradient(0)) {
        const sluice_tensor_spec& input = context.chain[0].inputs()[0];
        rows_ = input.shape[0] * input.shape[1];
        width_ = input.shape[2];
        channels_ = input.shape[3];
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        const std::int64_t wide = width_ * factor_ * channels_;
        sdk::parallel_for(launch.threads, rows_, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t row = begin; row < end; ++row) {
                const Element* from = sdk::input<Element>(launch, 0) + row * width_ * channels_;
                Element* to = sdk::output<Element>(launch, 0) + row * factor_ * wide;
                for (std::int64_t pixel = 0; pixel < width_ * factor_; ++pixel) {
                    std::copy_n(from + pixel / factor_ * channels_, channels_, to + pixel * channels_);
                }
                for (std::int64_t copy = 1; copy < factor_; ++copy) {
                    std::copy_n(to, wide, to + copy * wide);
                }
            }
        });
    }

    void backward(const sluice_launch& launch) override {
        Element* gradient = sdk::input_gradient<Element>(launch, 0);
        if (gradient == nullptr) {
            return;
        }
        sdk::parallel_for(launch.threads, rows_, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t row = begin; row < end; ++row) {
                sum_squares(gradient + row * width_ * channels_,
                            sdk::output_gradient<Element>(launch, 0) + row * factor_ * factor_ * width_ * channels_,
                            {width_, channels_, factor_}, accumulates_);
            }
        });
    }

private:
    std::int64_t factor_;
    bool accumulates_;
    std::int64_t rows_ = 0;
    std::int64_t width_ = 0;
    std::int64_t channels_ = 0;
};

}  // namespace

KernelPtr make_upsample(const PlanContext& context) {
    if (context.chain[0].options().string("mode") == "bilinear") {
        return make_upsample_bilinear(context);
    }
    return make_typed<Upsample>(context);
}

}  // namespace sluice::onednn
