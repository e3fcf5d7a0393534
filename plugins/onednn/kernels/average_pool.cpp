// average_pool: own vector loops over channels; backward gathers by input row (see kernels/max_pool.cpp).
#include "kernels/kernels.hpp"
#include "kernels/pool_axes.hpp"

namespace sluice::onednn {
namespace {

class AveragePool : public sdk::Kernel {
public:
    explicit AveragePool(const PlanContext& context)
        : axes_(context.chain[0]),
          count_padding_(context.chain[0].options().boolean("count_padding")),
          accumulates_(context.chain[0].accumulates_gradient(0)) {
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        const float* const x = sdk::input<float>(launch, 0);
        float* const y = sdk::output<float>(launch, 0);
        for_rows(launch, axes_.batch, axes_.height.out, [&](std::int64_t n, std::int64_t oh) {
            for (std::int64_t ow = 0; ow < axes_.width.out; ++ow) {
                sum_of(axes_.window(x, n, oh, ow), share(oh, ow), y + axes_.output_at(n, oh, ow));
            }
        });
    }

    void backward(const sluice_launch& launch) override {
        gather_rows(launch, axes_, accumulates_, [&](std::int64_t n, std::int64_t oh, std::int64_t /*h*/, float* to) {
            gather_row(sdk::output_gradient<float>(launch, 0) + axes_.output_at(n, oh, 0), oh, to);
        });
    }

private:
    // Of each element in its window's mean.
    [[nodiscard]] float share(std::int64_t oh, std::int64_t ow) const {
        const std::int64_t rows = axes_.height.last(oh) - axes_.height.first(oh);
        const std::int64_t columns = axes_.width.last(ow) - axes_.width.first(ow);
        const std::int64_t all = axes_.height.kernel * axes_.width.kernel;
        return 1.0F / static_cast<float>(count_padding_ ? all : rows * columns);
    }

    // What one output row gives to one input row.
    void gather_row(const float* gradient, std::int64_t oh, float* to) const {
        const PoolAxis& width = axes_.width;
        for (std::int64_t ow = 0; ow < width.out; ++ow) {
            for (std::int64_t s = width.first(ow); s < width.last(ow); ++s) {
                add_scaled(to + (width.origin(ow) + s) * axes_.channels, gradient + ow * axes_.channels, share(oh, ow),
                           axes_.channels);
            }
        }
    }

    PoolAxes axes_;
    bool count_padding_;
    bool accumulates_;
};

}  // namespace

KernelPtr make_average_pool(const PlanContext& context) { return std::make_unique<AveragePool>(context); }

}  // namespace sluice::onednn
