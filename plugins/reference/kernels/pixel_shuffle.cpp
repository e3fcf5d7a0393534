// pixel_shuffle: each element of the output is one of the input. See types/resampling/pixel_shuffle.hpp.
#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

template <class T>
class PixelShuffleKernel : public NodeKernel<T> {
public:
    explicit PixelShuffleKernel(const sdk::Node& node)
        : NodeKernel<T>(node),
          n_(sdk::element_count(node.inputs()[0])),
          width_(node.inputs()[0].shape[2]),
          channels_(node.inputs()[0].shape[3]),
          factor_(node.options().integer("factor")) {}

    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        T* const y = sdk::output<T>(launch, 0);
        for_each_element(launch, n_, [=, this](std::int64_t i) { y[place(i)] = x[i]; });
    }

    void backward(const sluice_launch& launch) override {
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        this->write_gradient(launch, 0, n_, [=, this](std::int64_t i) { return dy[place(i)]; });
    }

private:
    // The place in the output of element i of the input.
    [[nodiscard]] std::int64_t place(std::int64_t i) const {
        const std::int64_t square = factor_ * factor_;
        const std::int64_t channel = i % channels_;
        const std::int64_t column = i / channels_ % width_;
        const std::int64_t row = i / channels_ / width_;
        const std::int64_t out_row = row * factor_ + channel % square / factor_;
        const std::int64_t out_column = column * factor_ + channel % factor_;
        return (out_row * width_ * factor_ + out_column) * (channels_ / square) + channel / square;
    }

    std::int64_t n_;
    std::int64_t width_;
    std::int64_t channels_;
    std::int64_t factor_;
};

}  // namespace

KernelPtr make_pixel_shuffle(const sdk::Node& node, const sdk::KernelSink& /*sink*/) {
    return make_typed<PixelShuffleKernel>(node);
}

}  // namespace sluice::reference
