// mean_absolute_error, mean_squared_error and charbonnier, and psnr, which is computed from the squared error.
#include <cmath>

#include "kernels/element_losses.cuh"
#include "kernels/kernels.hpp"
#include "kernels/node_kernel.hpp"

namespace sluice::cudnn {
namespace {

struct Absolute {
    explicit Absolute(const sdk::Options&) {}
    __device__ float loss(float a, float b, std::int64_t) const { return std::fabs(a - b); }
    __device__ float slope(float a, float b, std::int64_t) const {
        return static_cast<float>(a > b) - static_cast<float>(a < b);
    }
    __device__ float target_slope(float a, float b, std::int64_t i) const { return -slope(a, b, i); }
};

struct Squared {
    Squared() = default;
    explicit Squared(const sdk::Options&) {}
    __device__ float loss(float a, float b, std::int64_t) const { return (a - b) * (a - b); }
    __device__ float slope(float a, float b, std::int64_t) const { return 2.0F * (a - b); }
    __device__ float target_slope(float a, float b, std::int64_t i) const { return -slope(a, b, i); }
};

struct Smoothed {
    explicit Smoothed(const sdk::Options& options) : epsilon(static_cast<float>(options.number("epsilon"))) {}
    __device__ float loss(float a, float b, std::int64_t) const { return std::hypot(a - b, epsilon); }
    __device__ float slope(float a, float b, std::int64_t i) const { return (a - b) / loss(a, b, i); }
    __device__ float target_slope(float a, float b, std::int64_t i) const { return -slope(a, b, i); }
    float epsilon;
};

template <class Error>
class LossKernel : public NodeKernel {
public:
    LossKernel(const sdk::Node& node, const sdk::KernelSink& sink)
        : NodeKernel(node), error_(node.options()), sums_(node.inputs()[0]) {
        sink.workspace(sums_.workspace());
    }

    void forward(const sluice_launch& launched) override { sums_.forward(launched, error_, WriteSums{}); }
    void backward(const sluice_launch& launched) override {
        sums_.backward(launched, error_, {adds_gradient(0), adds_gradient(1)});
    }

private:
    Error error_;
    ElementSums sums_;
};

// Writes decibels and 1 to out [N, 2].
struct WriteDecibels {
    static constexpr double kLeastError = 1e-10;  // 100 dB, for equal images
    __device__ void operator()(float* out, double sum, double weight) const {
        const double error = sum / weight;
        out[0] = static_cast<float>(-10.0 * std::log10(error < kLeastError ? kLeastError : error));
        out[1] = 1.0F;
    }
};

class PsnrKernel : public ForwardKernel {
public:
    PsnrKernel(const sdk::Node& node, const sdk::KernelSink& sink) : sums_(node.inputs()[0]) {
        sink.workspace(sums_.workspace());
    }
    void forward(const sluice_launch& launched) override { sums_.forward(launched, Squared(), WriteDecibels{}); }

private:
    ElementSums sums_;
};

template <class Error>
KernelPtr make_loss(const PlanContext& context) {
    context.sink.backward_reads_input(0);
    context.sink.backward_reads_input(1);
    return std::make_unique<LossKernel<Error>>(context.node(), context.sink);
}

}  // namespace

KernelPtr make_charbonnier(const PlanContext& context) { return make_loss<Smoothed>(context); }
KernelPtr make_mean_absolute_error(const PlanContext& context) { return make_loss<Absolute>(context); }
KernelPtr make_mean_squared_error(const PlanContext& context) { return make_loss<Squared>(context); }
KernelPtr make_psnr(const PlanContext& context) { return std::make_unique<PsnrKernel>(context.node(), context.sink); }

}  // namespace sluice::cudnn
