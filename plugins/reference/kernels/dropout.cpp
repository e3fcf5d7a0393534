// dropout: backward draws the same mask again from the launch's key, so nothing is saved. See types/dropout.hpp.
#include "kernels/drop.hpp"
#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

constexpr std::int64_t kWordsPerBlock = 4;

template <class T>
class DropoutKernel : public NodeKernel<T> {
public:
    explicit DropoutKernel(const sdk::Node& node)
        : NodeKernel<T>(node),
          n_(sdk::element_count(node.inputs()[0])),
          trains_(node.trains()),
          drop_(node.options()) {}

    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        T* const y = sdk::output<T>(launch, 0);
        if (!trains_) {
            for_each_element(launch, n_, [=](std::int64_t i) { y[i] = x[i]; });
            return;
        }
        mask(launch, [=](std::int64_t i, T factor) { y[i] = factor == T{0} ? T{0} : factor * x[i]; });
    }

    void backward(const sluice_launch& launch) override {
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        T* const dx = sdk::input_gradient<T>(launch, 0);
        if (dx == nullptr) {
            return;
        }
        const bool add = this->adds_gradient(0);
        mask(launch, [=](std::int64_t i, T factor) {
            const T value = factor == T{0} ? T{0} : factor * dy[i];
            dx[i] = add ? dx[i] + value : value;
        });
    }

private:
    // Calls body(i, factor) for every element; the factor is 0 or 1 / (1 - rate).
    template <class Body>
    void mask(const sluice_launch& launch, const Body& body) const {
        const sluice_random_key key = sdk::random_key(launch);
        const std::int64_t blocks = (n_ + kWordsPerBlock - 1) / kWordsPerBlock;
        sdk::parallel_for(launch.threads, blocks, kGrain / kWordsPerBlock,
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              for (std::int64_t block = begin; block < end; ++block) {
                                  one_block(key, block, body);
                              }
                          });
    }

    template <class Body>
    void one_block(const sluice_random_key& key, std::int64_t block, const Body& body) const {
        std::uint32_t words[kWordsPerBlock];
        sluice_philox(&key, static_cast<std::uint64_t>(block), words);
        const std::int64_t first = block * kWordsPerBlock;
        for (std::int64_t i = first; i < std::min(first + kWordsPerBlock, n_); ++i) {
            body(i, drop_.factor(words[i - first]));
        }
    }

    std::int64_t n_;
    bool trains_;
    Drop<T> drop_;
};

}  // namespace

KernelPtr make_dropout(const sdk::Node& node, const sdk::KernelSink& sink) {
    sink.may_overwrite(0, 0);
    sink.may_overwrite_gradient(0, 0);
    return make_typed<DropoutKernel>(node);
}

}  // namespace sluice::reference
