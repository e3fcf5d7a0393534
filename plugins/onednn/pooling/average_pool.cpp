// average_pool: own vector loops over channels; backward gathers by input pixel (see kernels/max_pool.cpp).
#include "kernels/element_types.hpp"
#include "pooling/pool_axes.hpp"

namespace sluice::onednn {
namespace {

template <class Element>
class AveragePool : public sdk::Kernel {
public:
    explicit AveragePool(const PlanContext& context)
        : axes_(context.chain[0]),
          count_padding_(context.chain[0].options().boolean("count_padding")),
          accumulates_(context.chain[0].accumulates_gradient(0)) {
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        const auto* const x = sdk::input<Element>(launch, 0);
        auto* const y = sdk::output<Element>(launch, 0);
        for_rows(launch, axes_.batch, axes_.height.out, [&](std::int64_t n, std::int64_t oh) {
            for (std::int64_t ow = 0; ow < axes_.width.out; ++ow) {
                sum_of(axes_.window(x, n, oh, ow), share(oh, ow), y + axes_.output_at(n, oh, ow));
            }
        });
    }

    void backward(const sluice_launch& launch) override {
        const auto* const gradient = sdk::output_gradient<Element>(launch, 0);
        gather_pixels<Element>(launch, axes_, accumulates_, [&](const PoolGradient& at) {
            add_scaled(at.to, gradient + at.gradient_at, share(at.oh, at.ow), at.channels);
        });
    }

private:
    // Returns the weight of each element in the mean of its window.
    [[nodiscard]] float share(std::int64_t oh, std::int64_t ow) const {
        const std::int64_t rows = axes_.height.last(oh) - axes_.height.first(oh);
        const std::int64_t columns = axes_.width.last(ow) - axes_.width.first(ow);
        const std::int64_t all = axes_.height.kernel * axes_.width.kernel;
        return 1.0F / static_cast<float>(count_padding_ ? all : rows * columns);
    }

    PoolAxes axes_;
    bool count_padding_;
    bool accumulates_;
};

}  // namespace

KernelPtr make_average_pool(const PlanContext& context) { return make_typed<AveragePool>(context); }

}  // namespace sluice::onednn
