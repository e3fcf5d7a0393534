// stochastic_depth: a thread takes eight neighbouring elements, which lie in one sample or in several. Backward draws
// the same samples again.
#include <cmath>

#include "cuda/divide.cuh"
#include "cuda/launch.cuh"
#include "cuda/masks.cuh"
#include "kernels/node_kernel.hpp"

namespace sluice::cudnn {
namespace {

struct SampleMask {
    Divider of_sample;        // elements
    std::uint64_t threshold;  // rate * 2^32: a sample whose random word is below it is dropped
    float kept;               // factor of the others
    RandomKey key;
    bool trains;
};

__device__ inline float factor_of(const SampleMask& mask, const sluice_random_key& key, std::uint32_t sample) {
    const RandomWords words = philox(key, sample / 4);
    const bool is_dropped = words.values[sample % 4] < mask.threshold;
    return is_dropped ? 0.0F : mask.kept;
}

template <class T>
__global__ void scale_samples_kernel(T* to, const T* from, std::int64_t n, SampleMask mask, bool add) {
    const auto groups = static_cast<std::uint32_t>((n + kGroup - 1) / kGroup);
    const sluice_random_key key = mask.trains ? mask.key.of_step() : sluice_random_key{};
    for (auto g = static_cast<std::uint32_t>(first_index()); g < groups; g += index_stride()) {
        Pack<T, kGroup> out = load_group(from, g, n);
        const Pack<T, kGroup> there = add ? load_group(to, g, n) : Pack<T, kGroup>{};
        std::uint32_t sample = g * kGroup;
        std::uint32_t place = mask.of_sample.split(sample);
        float factor = mask.trains ? factor_of(mask, key, sample) : 1.0F;
        for (int k = 0; k < kGroup; ++k) {
            const float value = factor == 0.0F ? 0.0F : factor * to_float(out.values[k]);
            out.values[k] = from_float<T>(add ? to_float(there.values[k]) + value : value);
            if (++place == mask.of_sample.divisor()) {
                place = 0;
                ++sample;
                factor = mask.trains ? factor_of(mask, key, sample) : 1.0F;
            }
        }
        store_group(to, g, n, out);
    }
}

template <class T>
class StochasticDepth : public NodeKernel {
public:
    explicit StochasticDepth(const sdk::Node& node)
        : NodeKernel(node),
          n_(sdk::element_count(node.inputs()[0])),
          of_sample_(n_ / node.inputs()[0].shape[0]),
          rate_(node.options().number("rate")),
          trains_(node.trains()) {}

    void forward(const sluice_launch& launch) override {
        scale_samples(launch, sdk::output<T>(launch, 0), sdk::input<T>(launch, 0), false);
    }

    void backward(const sluice_launch& launch) override {
        if (T* const to = sdk::input_gradient<T>(launch, 0)) {
            scale_samples(launch, to, sdk::output_gradient<T>(launch, 0), adds_gradient(0));
        }
    }

private:
    void scale_samples(const sluice_launch& launch, T* to, const T* from, bool add) const {
        const SampleMask mask{.of_sample = Divider(of_sample_),
                              .threshold = static_cast<std::uint64_t>(std::ceil(rate_ * 0x1p32)),
                              .kept = static_cast<float>(1.0 / (1.0 - rate_)),
                              .key = {launch.random_seed, launch.random_stream, launch.scalars},
                              .trains = trains_};
        cudnn::launch(launch.stream, blocks_for((n_ + kGroup - 1) / kGroup), kThreads, scale_samples_kernel<T>, to,
                      from, n_, mask, add);
    }

    std::int64_t n_;
    std::int64_t of_sample_;  // elements
    double rate_;
    bool trains_;
};

}  // namespace

KernelPtr make_stochastic_depth(const PlanContext& context) {
    context.sink.may_overwrite(0, 0);
    context.sink.may_overwrite_gradient(0, 0);
    context.sink.note("own pass");
    return make_typed<StochasticDepth>(context.node());
}

}  // namespace sluice::cudnn
