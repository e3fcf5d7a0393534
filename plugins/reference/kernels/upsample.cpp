// upsample with mode "nearest", forward and backward: the gradient of a pixel is the sum over its factor x factor
// copies.
#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

template <class T>
class UpsampleKernel : public NodeKernel<T> {
public:
    explicit UpsampleKernel(const sdk::Node& node)
        : NodeKernel<T>(node),
          rows_(node.inputs()[0].shape[0] * node.inputs()[0].shape[1]),
          width_(node.inputs()[0].shape[2]),
          channels_(node.inputs()[0].shape[3]),
          factor_(node.options().integer("factor")) {}

    // Rows count over all samples: output row r copies input row r / factor.
    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        T* const y = sdk::output<T>(launch, 0);
        const std::int64_t out_width = width_ * factor_;
        sdk::parallel_for(launch.threads, rows_ * factor_, grain_of(out_width * channels_),
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              for (std::int64_t r = begin; r < end; ++r) {
                                  T* to = y + r * out_width * channels_;
                                  const T* const row = x + r / factor_ * width_ * channels_;
                                  for (std::int64_t w = 0; w < out_width; ++w, to += channels_) {
                                      std::copy_n(row + w / factor_ * channels_, channels_, to);
                                  }
                              }
                          });
    }

    void backward(const sluice_launch& launch) override {
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        T* const dx = sdk::input_gradient<T>(launch, 0);
        if (dx == nullptr) {
            return;
        }
        sdk::parallel_for(launch.threads, rows_, grain_of(width_ * channels_ * factor_ * factor_),
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              for (std::int64_t r = begin; r < end; ++r) {
                                  gradient_row(r, dy, dx + r * width_ * channels_);
                              }
                          });
    }

private:
    void gradient_row(std::int64_t row, const T* dy, T* dx) const {
        const std::int64_t out_row = width_ * factor_ * channels_;
        for (std::int64_t w = 0; w < width_; ++w) {
            const T* const corner = dy + row * factor_ * out_row + w * factor_ * channels_;
            for (std::int64_t c = 0; c < channels_; ++c) {
                double sum = 0.0;
                for (std::int64_t a = 0; a < factor_; ++a) {
                    for (std::int64_t b = 0; b < factor_; ++b) {
                        sum += static_cast<double>(corner[a * out_row + b * channels_ + c]);
                    }
                }
                put(dx + w * channels_ + c, sum, this->adds_gradient(0));
            }
        }
    }

    std::int64_t rows_;
    std::int64_t width_;
    std::int64_t channels_;
    std::int64_t factor_;
};

}  // namespace

KernelPtr make_upsample(const sdk::Node& node, const sdk::KernelSink&) {
    return node.options().string("mode") == "nearest" ? make_typed<UpsampleKernel>(node) : make_upsample_bilinear(node);
}

}  // namespace sluice::reference
