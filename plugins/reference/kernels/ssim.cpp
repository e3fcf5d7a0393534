// ssim: one value per sample. See types/metrics/metrics.hpp.
//
// The Gaussian is separable: for each row of windows the five moments (x, y, x^2, y^2, xy) are summed down the columns
// into the workspace, and along the rows from there.
#include <cmath>
#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

constexpr std::int64_t kLargestWindow = 11;
constexpr double kDeviation = 1.5;
constexpr double kC1 = 0.01 * 0.01;  // (K1 L)^2
constexpr double kC2 = 0.03 * 0.03;  // (K2 L)^2
constexpr std::int64_t kMoments = 5;

// Weights of one axis; they sum to 1.
std::vector<double> gaussian(std::int64_t size) {
    std::vector<double> weights;
    double sum = 0.0;
    const std::int64_t middle = size / 2;
    for (std::int64_t i = 0; i < size; ++i) {
        const auto distance = static_cast<double>(i - middle);
        weights.push_back(std::exp(-distance * distance / (2.0 * kDeviation * kDeviation)));
        sum += weights.back();
    }
    for (double& weight : weights) {
        weight /= sum;
    }
    return weights;
}

std::int64_t window_of(const sluice_tensor_spec& image) {
    const std::int64_t fits = std::min({image.shape[1], image.shape[2], kLargestWindow});
    return fits % 2 == 1 ? fits : fits - 1;
}

double similarity(double mean_x, double mean_y, double xx, double yy, double xy) {
    const double variances = (xx - mean_x * mean_x) + (yy - mean_y * mean_y);
    const double covariance = xy - mean_x * mean_y;
    return (2.0 * mean_x * mean_y + kC1) * (2.0 * covariance + kC2) /
           ((mean_x * mean_x + mean_y * mean_y + kC1) * (variances + kC2));
}

template <class T>
class SsimKernel : public ForwardKernel {
public:
    SsimKernel(const sdk::Node& node, const sdk::KernelSink& sink)
        : samples_(node.inputs()[0].shape[0]),
          height_(node.inputs()[0].shape[1]),
          channels_(node.inputs()[0].shape[3]),
          row_(node.inputs()[0].shape[2] * channels_),
          window_(window_of(node.inputs()[0])),
          weights_(gaussian(window_)) {
        sink.workspace(static_cast<std::uint64_t>(samples_ * kMoments * row_) * sizeof(double));
    }

    // Output [N, 2]: similarity, 1.
    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        const T* const y = sdk::input<T>(launch, 1);
        auto* const moments = static_cast<double*>(launch.workspace);
        float* const out = sdk::output<float>(launch, 0);
        const std::int64_t image = height_ * row_;
        sdk::parallel_for(launch.threads, samples_, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t n = begin; n < end; ++n) {
                double* const mine = moments + n * kMoments * row_;
                out[2 * n] = static_cast<float>(mean_similarity(x + n * image, y + n * image, mine));
                out[2 * n + 1] = 1.0F;
            }
        });
    }

private:
    // x, y [H, W, C]; moments [5, W * C]
    double mean_similarity(const T* x, const T* y, double* moments) const {
        const std::int64_t rows = height_ - window_ + 1;
        const std::int64_t windows = row_ - (window_ - 1) * channels_;
        double sum = 0.0;
        for (std::int64_t r = 0; r < rows; ++r) {
            sum_columns(x + r * row_, y + r * row_, moments);
            for (std::int64_t j = 0; j < windows; ++j) {
                sum += window_similarity(moments + j);
            }
        }
        return sum / static_cast<double>(rows * windows);
    }

    // Computes the weighted moments of window_ rows, for every column.
    void sum_columns(const T* x, const T* y, double* moments) const {
        std::fill_n(moments, kMoments * row_, 0.0);
        for (std::int64_t k = 0; k < window_; ++k, x += row_, y += row_) {
            const double weight = weights_[static_cast<std::size_t>(k)];
            for (std::int64_t j = 0; j < row_; ++j) {
                const auto a = static_cast<double>(x[j]);
                const auto b = static_cast<double>(y[j]);
                moments[j] += weight * a;
                moments[row_ + j] += weight * b;
                moments[2 * row_ + j] += weight * a * a;
                moments[3 * row_ + j] += weight * b * b;
                moments[4 * row_ + j] += weight * a * b;
            }
        }
    }

    // Returns the similarity of the window whose first column and channel `columns` points at.
    [[nodiscard]] double window_similarity(const double* columns) const {
        double sums[kMoments] = {};
        for (std::int64_t k = 0; k < window_; ++k) {
            for (std::int64_t moment = 0; moment < kMoments; ++moment) {
                sums[moment] += weights_[static_cast<std::size_t>(k)] * columns[moment * row_ + k * channels_];
            }
        }
        return similarity(sums[0], sums[1], sums[2], sums[3], sums[4]);
    }

    std::int64_t samples_;
    std::int64_t height_;
    std::int64_t channels_;
    std::int64_t row_;  // elements of one row, W * C
    std::int64_t window_;
    std::vector<double> weights_;
};

}  // namespace

KernelPtr make_ssim(const sdk::Node& node, const sdk::KernelSink& sink) { return make_typed<SsimKernel>(node, sink); }

}  // namespace sluice::reference
