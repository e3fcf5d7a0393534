// add: the sum of two or more tensors of one shape.
#include <algorithm>
#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/narrow_types.hpp"
#include "math/elementwise.hpp"

namespace sluice::onednn {
namespace {

class Add : public sdk::Kernel {
public:
    explicit Add(const PlanContext& context) : count_(sdk::element_count(context.chain[0].outputs()[0])) {
        const sdk::Node node = context.chain[0];
        for (std::uint32_t i = 0; i < node.inputs().size(); ++i) {
            accumulates_.push_back(node.accumulates_gradient(i) ? 1 : 0);
        }
        // The sum of the first two is written before the others are read.
        for (std::uint32_t i = 0; i < std::min<std::size_t>(2, accumulates_.size()); ++i) {
            context.sink.may_overwrite(i, 0);
            context.sink.may_overwrite_gradient(0, i);
        }
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        float* y = sdk::output<float>(launch, 0);
        for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
            const float* first = sdk::input<float>(launch, 0) + begin;
            if (accumulates_.size() == 1) {
                store_gradient(y + begin, first, count, false);
                return;
            }
            sum_of(y + begin, first, sdk::input<float>(launch, 1) + begin, count);
            for (std::size_t i = 2; i < accumulates_.size(); ++i) {
                add_to(y + begin, sdk::input<float>(launch, i) + begin, count);
            }
        });
    }

    void backward(const sluice_launch& launch) override {
        const float* gradient = sdk::output_gradient<float>(launch, 0);
        for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
            for (std::size_t i = 0; i < accumulates_.size(); ++i) {
                if (float* to = sdk::input_gradient<float>(launch, i)) {
                    store_gradient(to + begin, gradient + begin, count, accumulates_[i] != 0);
                }
            }
        });
    }

private:
    std::int64_t count_;
    std::vector<std::uint8_t> accumulates_;  // one for each input
};

}  // namespace

// Of two tensors it is the shortest of the chains: one pass writes both gradients.
KernelPtr make_add(const PlanContext& context) {
    return context.chain[0].inputs().size() == 2 ? make_cut_chain(context) : std::make_unique<Add>(context);
}

}  // namespace sluice::onednn
