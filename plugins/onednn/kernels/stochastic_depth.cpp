// stochastic_depth: samples are scaled or zero. Backward draws the same samples again.
#include <algorithm>

#include "kernels/element_types.hpp"
#include "math/elementwise.hpp"
#include "sluice/random.h"

namespace sluice::onednn {
namespace {

template <class Element>
class StochasticDepth : public sdk::Kernel {
public:
    explicit StochasticDepth(const PlanContext& context) {
        const sdk::Node node = context.chain[0];
        count_ = sdk::element_count(node.inputs()[0]);
        of_sample_ = count_ / node.inputs()[0].shape[0];
        trains_ = node.trains();
        accumulates_ = node.accumulates_gradient(0);
        const double rate = node.options().number("rate");
        threshold_ = rate * 0x1p32;
        kept_ = static_cast<float>(1.0 / (1.0 - rate));
        context.sink.may_overwrite(0, 0);
        context.sink.may_overwrite_gradient(0, 0);
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        scale_samples(launch, sdk::output<Element>(launch, 0), sdk::input<Element>(launch, 0), false);
    }

    void backward(const sluice_launch& launch) override {
        if (Element* const to = sdk::input_gradient<Element>(launch, 0)) {
            scale_samples(launch, to, sdk::output_gradient<Element>(launch, 0), accumulates_);
        }
    }

private:
    void scale_samples(const sluice_launch& launch, Element* to, const Element* from, bool add) const {
        for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
            const std::int64_t end = begin + count;
            for (std::int64_t at = begin; at < end;) {
                const std::int64_t sample = at / of_sample_;
                const std::int64_t next = std::min(end, (sample + 1) * of_sample_);
                const float factor = factor_of(launch, sample);
                if (factor != 0.0F) {
                    scale(to + at, from + at, factor, next - at, add);
                } else if (!add) {  // 0 times infinity would not be 0
                    std::fill(to + at, to + next, Element(0.0F));
                }
                at = next;
            }
        });
    }

    [[nodiscard]] float factor_of(const sluice_launch& launch, std::int64_t sample) const {
        if (!trains_) {
            return 1.0F;
        }
        const sluice_random_key key = sdk::random_key(launch);
        const auto number = static_cast<std::uint64_t>(sample);
        std::uint32_t words[4];
        sluice_philox(&key, number / 4, words);
        return words[number % 4] < threshold_ ? 0.0F : kept_;
    }

    std::int64_t count_ = 0;
    std::int64_t of_sample_ = 0;  // elements
    bool trains_ = false;
    bool accumulates_ = false;
    double threshold_ = 0.0;
    float kept_ = 1.0F;
};

}  // namespace

KernelPtr make_stochastic_depth(const PlanContext& context) { return make_typed<StochasticDepth>(context); }

}  // namespace sluice::onednn
