// max_pool: own vector loops over channels. Backward gathers by input row, so that no two threads write to one place
// and gradients are added without a second pass; oneDNN's scatters.
#include "kernels/kernels.hpp"
#include "kernels/pool_axes.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kLargestKernel = 256;  // taps are numbered in 16 bits

class MaxPool : public sdk::Kernel {
public:
    explicit MaxPool(const PlanContext& context)
        : axes_(context.chain[0]),
          trains_(context.chain[0].trains()),
          accumulates_(context.chain[0].accumulates_gradient(0)) {
        if (axes_.height.kernel > kLargestKernel) {
            throw sdk::Failure(SLUICE_UNSUPPORTED, "takes windows of at most 256 by 256");
        }
        if (trains_) {
            const auto count = static_cast<std::uint64_t>(sdk::element_count(context.chain[0].outputs()[0]));
            context.sink.saved(count * sizeof(std::uint16_t));  // the tap that each output element came from
        }
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        const float* const x = sdk::input<float>(launch, 0);
        float* const y = sdk::output<float>(launch, 0);
        auto* const taps = trains_ ? sdk::saved<std::uint16_t>(launch, 0) : nullptr;
        for_rows(launch, axes_.batch, axes_.height.out, [&](std::int64_t n, std::int64_t oh) {
            for (std::int64_t ow = 0; ow < axes_.width.out; ++ow) {
                const std::int64_t at = axes_.output_at(n, oh, ow);
                largest_of(axes_.window(x, n, oh, ow), y + at, taps == nullptr ? nullptr : taps + at);
            }
        });
    }

    void backward(const sluice_launch& launch) override {
        gather_rows(launch, axes_, accumulates_, [&](std::int64_t n, std::int64_t oh, std::int64_t h, float* to) {
            gather_row(launch, axes_.output_at(n, oh, 0), h - axes_.height.origin(oh), to);
        });
    }

private:
    // What row r of the windows of one output row, which begins at `first`, gives to one input row.
    void gather_row(const sluice_launch& launch, std::int64_t first, std::int64_t r, float* to) const {
        const float* const gradient = sdk::output_gradient<float>(launch, 0);
        const auto* const taps = sdk::saved<std::uint16_t>(launch, 0);
        const PoolAxis& width = axes_.width;
        for (std::int64_t ow = 0; ow < width.out; ++ow) {
            const std::int64_t at = first + ow * axes_.channels;
            for (std::int64_t s = width.first(ow); s < width.last(ow); ++s) {
                add_where(to + (width.origin(ow) + s) * axes_.channels, gradient + at, taps + at,
                          static_cast<std::uint16_t>(r * width.kernel + s), axes_.channels);
            }
        }
    }

    PoolAxes axes_;
    bool trains_;
    bool accumulates_;
};

}  // namespace

KernelPtr make_max_pool(const PlanContext& context) { return std::make_unique<MaxPool>(context); }

}  // namespace sluice::onednn
