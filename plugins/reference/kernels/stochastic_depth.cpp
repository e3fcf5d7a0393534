// stochastic_depth: backward draws the same samples again from the launch's key. See types/stochastic_depth.hpp.
#include "kernels/drop.hpp"
#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

template <class T>
class StochasticDepthKernel : public NodeKernel<T> {
public:
    explicit StochasticDepthKernel(const sdk::Node& node)
        : NodeKernel<T>(node),
          n_(sdk::element_count(node.inputs()[0])),
          of_sample_(n_ / node.inputs()[0].shape[0]),
          trains_(node.trains()),
          drop_(node.options()) {}

    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        T* const y = sdk::output<T>(launch, 0);
        for_each_element(launch, n_, [&](std::int64_t i) { y[i] = product(launch, i, x[i]); });
    }

    void backward(const sluice_launch& launch) override {
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        this->write_gradient(launch, 0, n_, [&](std::int64_t i) { return product(launch, i, dy[i]); });
    }

private:
    // Element i times the factor of its sample. A dropped sample is 0, also if x is infinite.
    [[nodiscard]] T product(const sluice_launch& launch, std::int64_t i, T x) const {
        if (!trains_) {
            return x;
        }
        const auto sample = static_cast<std::uint64_t>(i / of_sample_);
        const sluice_random_key key = sdk::random_key(launch);
        std::uint32_t words[4];
        sluice_philox(&key, sample / 4, words);
        const T factor = drop_.factor(words[sample % 4]);
        return factor == T{0} ? T{0} : factor * x;
    }

    std::int64_t n_;
    std::int64_t of_sample_;  // elements
    bool trains_;
    Drop<T> drop_;
};

}  // namespace

KernelPtr make_stochastic_depth(const sdk::Node& node, const sdk::KernelSink& sink) {
    sink.may_overwrite(0, 0);
    sink.may_overwrite_gradient(0, 0);
    return make_typed<StochasticDepthKernel>(node);
}

}  // namespace sluice::reference
