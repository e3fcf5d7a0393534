// add: the sum of two or more tensors of one shape.
#include <algorithm>
#include <vector>

#include "kernels/element_types.hpp"
#include "kernels/kernels.hpp"
#include "math/conversions.hpp"
#include "math/elementwise.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kBlock = 1024;  // sums at a time on the stack

template <class Element>
class Add : public sdk::Kernel {
public:
    explicit Add(const PlanContext& context) : count_(sdk::element_count(context.chain[0].outputs()[0])) {
        const sdk::Node node = context.chain[0];
        for (std::uint32_t i = 0; i < node.inputs().size(); ++i) {
            accumulates_.push_back(node.accumulates_gradient(i) ? 1 : 0);
        }
        for (std::uint32_t i = 0; i < accumulates_.size(); ++i) {
            context.sink.may_overwrite(i, 0);
            context.sink.may_overwrite_gradient(0, i);
        }
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        auto* y = sdk::output<Element>(launch, 0);
        for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
            for (std::int64_t at = begin; at < begin + count; at += kBlock) {
                const std::int64_t length = std::min(kBlock, begin + count - at);
                float sums[kBlock];
                for (std::size_t i = 0; i < accumulates_.size(); ++i) {
                    convert(sums, sdk::input<Element>(launch, i) + at, length, i > 0);
                }
                convert(y + at, sums, length, false);
            }
        });
    }

    void backward(const sluice_launch& launch) override {
        const auto* gradient = sdk::output_gradient<Element>(launch, 0);
        for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
            for (std::size_t i = 0; i < accumulates_.size(); ++i) {
                if (auto* to = sdk::input_gradient<Element>(launch, i)) {
                    convert(to + begin, gradient + begin, count, accumulates_[i] != 0);
                }
            }
        });
    }

private:
    std::int64_t count_;
    std::vector<std::uint8_t> accumulates_;  // one for each input
};

}  // namespace

// An add of two tensors is the shortest chain: one pass writes both gradients.
KernelPtr make_add(const PlanContext& context) {
    return context.chain[0].inputs().size() == 2 ? make_mask_chain(context) : make_typed<Add>(context);
}

}  // namespace sluice::onednn
