// psnr: one value per sample. See types/metrics/metrics.hpp.
#include <cmath>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

constexpr double kLeastError = 1e-10;  // 100 dB, for equal images

template <class T>
class PsnrKernel : public ForwardKernel {
public:
    explicit PsnrKernel(const sdk::Node& node)
        : samples_(node.inputs()[0].shape[0]), per_sample_(sdk::element_count(node.inputs()[0]) / samples_) {}

    // Output [N, 2]: decibels, 1.
    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        const T* const target = sdk::input<T>(launch, 1);
        float* const out = sdk::output<float>(launch, 0);
        sdk::parallel_for(
            launch.threads, samples_, grain_of(per_sample_), [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                for (std::int64_t n = begin; n < end; ++n) {
                    out[2 * n] = static_cast<float>(decibels(x + n * per_sample_, target + n * per_sample_));
                    out[2 * n + 1] = 1.0F;
                }
            });
    }

private:
    [[nodiscard]] double decibels(const T* a, const T* b) const {
        const double sum = sum_of(per_sample_, [=](std::int64_t i) {
            const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
            return difference * difference;
        });
        const double error = sum / static_cast<double>(per_sample_);
        return -10.0 * std::log10(error < kLeastError ? kLeastError : error);
    }

    std::int64_t samples_;
    std::int64_t per_sample_;
};

}  // namespace

KernelPtr make_psnr(const sdk::Node& node, const sdk::KernelSink&) { return make_typed<PsnrKernel>(node); }

}  // namespace sluice::reference
