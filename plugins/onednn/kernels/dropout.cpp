// dropout: in training, elements dropped at random and the rest scaled up; in evaluation, a copy. Nothing is saved:
// backward draws the same choice again.
#include <algorithm>
#include <cmath>

#include "kernels/kernels.hpp"
#include "math/elementwise.hpp"
#include "math/philox_mask.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kChunk = 1024;  // elements that one piece of work is a multiple of

class DropoutKernel : public sdk::Kernel {
public:
    explicit DropoutKernel(const PlanContext& context)
        : count_(sdk::element_count(context.chain[0].outputs()[0])),
          rate_(context.chain[0].options().number("rate")),
          trains_(context.chain[0].trains()),
          accumulates_(context.chain[0].accumulates_gradient(0)) {
        context.sink.note("own vector loops, mask drawn again in backward");
    }

    void forward(const sluice_launch& launch) override {
        run(launch, sdk::input<float>(launch, 0), sdk::output<float>(launch, 0), false);
    }

    void backward(const sluice_launch& launch) override {
        if (float* to = sdk::input_gradient<float>(launch, 0)) {
            run(launch, sdk::output_gradient<float>(launch, 0), to, accumulates_);
        }
    }

private:
    void run(const sluice_launch& launch, const float* from, float* to, bool add) const {
        if (!trains_) {
            for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
                store_gradient(to + begin, from + begin, count, add);
            });
            return;
        }
        const Dropout choice{sdk::random_key(launch), static_cast<std::uint64_t>(std::ceil(rate_ * 0x1p32)),
                             static_cast<float>(1.0 / (1.0 - rate_))};
        sdk::parallel_for(launch.threads, (count_ + kChunk - 1) / kChunk, 4,
                          [&](std::int64_t first, std::int64_t last, std::uint32_t) {
                              const std::int64_t begin = first * kChunk;
                              const std::int64_t end = std::min(last * kChunk, count_);
                              dropout(choice, begin, end - begin, from + begin, to + begin, add);
                          });
    }

    std::int64_t count_;
    double rate_;
    bool trains_;
    bool accumulates_;
};

}  // namespace

KernelPtr make_dropout(const PlanContext& context) { return std::make_unique<DropoutKernel>(context); }

}  // namespace sluice::onednn
