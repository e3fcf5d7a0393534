// max_pool: own vector loops over channels. Backward gathers by input pixel, so that no two threads write to the same
// place and gradients accumulate without a second pass; oneDNN's scatters.
#include "kernels/element_types.hpp"
#include "pooling/pool_axes.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kLargestKernel = 256;  // taps are numbered in 16 bits

template <class Element>
class MaxPool : public sdk::Kernel {
public:
    explicit MaxPool(const PlanContext& context)
        : axes_(context.chain[0]),
          trains_(context.chain[0].trains()),
          accumulates_(context.chain[0].accumulates_gradient(0)) {
        if (axes_.height.kernel > kLargestKernel) {
            throw sdk::Failure(SLUICE_UNSUPPORTED, "computes max_pool only with windows of at most 256x256");
        }
        if (trains_) {
            const auto count = static_cast<std::uint64_t>(sdk::element_count(context.chain[0].outputs()[0]));
            context.sink.saved(count * sizeof(std::uint16_t));  // the tap that each output element came from
        }
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        const auto* const x = sdk::input<Element>(launch, 0);
        auto* const y = sdk::output<Element>(launch, 0);
        auto* const taps = trains_ ? sdk::saved<std::uint16_t>(launch, 0) : nullptr;
        for_rows(launch, axes_.batch, axes_.height.out, [&](std::int64_t n, std::int64_t oh) {
            for (std::int64_t ow = 0; ow < axes_.width.out; ++ow) {
                const std::int64_t at = axes_.output_at(n, oh, ow);
                largest_of(axes_.window(x, n, oh, ow), y + at, taps == nullptr ? nullptr : taps + at);
            }
        });
    }

    void backward(const sluice_launch& launch) override {
        const auto* const gradient = sdk::output_gradient<Element>(launch, 0);
        const auto* const taps = sdk::saved<std::uint16_t>(launch, 0);
        gather_pixels<Element>(launch, axes_, accumulates_, [&](const PoolGradient& at) {
            const std::int64_t r = at.h - axes_.height.origin(at.oh);
            const std::int64_t s = at.w - axes_.width.origin(at.ow);
            add_where(at.to, gradient + at.gradient_at, taps + at.gradient_at,
                      static_cast<std::uint16_t>(r * axes_.width.kernel + s), at.channels);
        });
    }

private:
    PoolAxes axes_;
    bool trains_;
    bool accumulates_;
};

}  // namespace

KernelPtr make_max_pool(const PlanContext& context) { return make_typed<MaxPool>(context); }

}  // namespace sluice::onednn
