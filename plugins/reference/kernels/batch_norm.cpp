// batch_norm, forward and backward, for training and evaluation. See types/norms/batch_norm.hpp.
//
// x is [M, C]. One thread makes the sums of a channel, in the order of the rows.
#include <cmath>
#include <string>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"
#include "sluice/sdk/joint.hpp"

namespace sluice::reference {
namespace {

constexpr std::int64_t kChannelGrain = 16;  // a cache line of float32

template <class T>
class BatchNormKernel : public NodeKernel<T> {
public:
    BatchNormKernel(const sdk::Node& node, const sdk::KernelSink& sink)
        : NodeKernel<T>(node),
          channels_(node.parameters()[0].shape[0]),
          rows_(sdk::element_count(node.inputs()[0]) / channels_),
          trains_(node.trains()),
          epsilon_(node.options().number("epsilon")),
          momentum_(node.options().number("momentum")),
          joint_name_(trains_ && node.options().boolean("synchronized") ? "statistics of " + std::string(node.path())
                                                                        : "") {
        // Two float64 per channel: in evaluation mean and 1 / deviation, which training saves for backward instead; in
        // backward, sums. Scratch memory for the sums over all replicas follows.
        const std::uint64_t pair = 2 * static_cast<std::uint64_t>(channels_) * sizeof(double);
        sink.workspace(pair + static_cast<std::uint64_t>(sdk::joint_scratch(channels_)) * sizeof(double));
        sink.may_overwrite(0, 0);
        sink.may_overwrite_gradient(0, 0);
        if (trains_) {
            sink.saved(pair);
            sink.backward_reads_input(0);
        }
    }

    void forward(const sluice_launch& launch) override {
        auto* const mean = trains_ ? sdk::saved<double>(launch, 0) : static_cast<double*>(launch.workspace);
        sdk::parallel_for(launch.threads, channels_, kChannelGrain,
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              if (trains_) {
                                  batch_moments(launch, mean, begin, end);
                              } else {
                                  running_statistics(launch, mean, begin, end);
                              }
                          });
        if (trains_) {
            use_moments(launch, mean, join(launch, mean, mean + channels_, sdk::join_moments));
        }
        const T* const x = sdk::input<T>(launch, 0);
        T* const y = sdk::output<T>(launch, 0);
        const double* const inverse = mean + channels_;
        const float* const gamma = sdk::parameter(launch, 0);
        const float* const beta = sdk::parameter(launch, 1);
        for_each_row(launch, [&](std::int64_t row, std::int64_t c) {
            const double normal = (static_cast<double>(x[row + c]) - mean[c]) * inverse[c];
            y[row + c] = static_cast<T>(gamma[c] * normal + beta[c]);
        });
    }

    // With g = dy, h = (x - mean) / deviation: dbeta = sum g, dgamma = sum g h,
    // dx = gamma / deviation * (g - dbeta / M - h dgamma / M).
    void backward(const sluice_launch& launch) override {
        auto* const sums = static_cast<double*>(launch.workspace);
        sdk::parallel_for(launch.threads, channels_, kChannelGrain,
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              parameter_gradients(launch, sums, begin, end);
                          });
        const double count = join(launch, sums, sums + channels_, sdk::join_sums);
        T* const dx = sdk::input_gradient<T>(launch, 0);
        if (dx == nullptr) {
            return;
        }
        const T* const x = sdk::input<T>(launch, 0);
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        const double* const mean = sdk::saved<double>(launch, 0);
        const double* const inverse = mean + channels_;
        const float* const gamma = sdk::parameter(launch, 0);
        const double share = 1.0 / count;
        const bool add = this->adds_gradient(0);
        for_each_row(launch, [&](std::int64_t row, std::int64_t c) {
            const double normal = (static_cast<double>(x[row + c]) - mean[c]) * inverse[c];
            const double centred = static_cast<double>(dy[row + c]) - share * (sums[c] + normal * sums[channels_ + c]);
            put(dx + row + c, gamma[c] * inverse[c] * centred, add);
        });
    }

private:
    // Calls body(row, c) for every element, which lies at row + c.
    template <class Body>
    void for_each_row(const sluice_launch& launch, const Body& body) const {
        sdk::parallel_for(launch.threads, rows_, grain_of(channels_),
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              for (std::int64_t m = begin; m < end; ++m) {
                                  for (std::int64_t c = 0; c < channels_; ++c) {
                                      body(m * channels_, c);
                                  }
                              }
                          });
    }

    // Returns the number of rows: of all replicas if statistics are synchronized, else of this one. If so, joins
    // `first` and `second` too.
    template <class Join>
    double join(const sluice_launch& launch, double* first, double* second, const Join& join_pair) const {
        auto* const scratch = static_cast<double*>(launch.workspace) + 2 * channels_;
        return joint_name_.empty() ? static_cast<double>(rows_)
                                   : join_pair(launch, rows_, channels_, first, second, scratch, joint_name_);
    }

    // Writes the mean of channels [begin, end), and at `mean` + C the sums of squared distances from it.
    void batch_moments(const sluice_launch& launch, double* mean, std::int64_t begin, std::int64_t end) const {
        const T* const x = sdk::input<T>(launch, 0);
        double* const squares = mean + channels_;
        const auto count = static_cast<double>(rows_);
        std::fill(mean + begin, mean + end, 0.0);
        std::fill(squares + begin, squares + end, 0.0);
        for (std::int64_t m = 0; m < rows_; ++m) {
            for (std::int64_t c = begin; c < end; ++c) {
                mean[c] += static_cast<double>(x[m * channels_ + c]);
            }
        }
        for (std::int64_t c = begin; c < end; ++c) {
            mean[c] /= count;
        }
        for (std::int64_t m = 0; m < rows_; ++m) {
            for (std::int64_t c = begin; c < end; ++c) {
                const double distance = static_cast<double>(x[m * channels_ + c]) - mean[c];
                squares[c] += distance * distance;
            }
        }
    }

    // Turns the sums of squared distances into 1 / deviation, and updates the running statistics.
    void use_moments(const sluice_launch& launch, double* mean, double count) const {
        double* const inverse = mean + channels_;
        float* const running_mean = sdk::state(launch, 0);
        float* const running_variance = sdk::state(launch, 1);
        for (std::int64_t c = 0; c < channels_; ++c) {
            const double squares = inverse[c];
            inverse[c] = 1.0 / std::sqrt(squares / count + epsilon_);
            // A single value has no unbiased variance; it counts as 0.
            const double unbiased = squares / std::max(count - 1.0, 1.0);
            running_mean[c] = static_cast<float>(momentum_ * running_mean[c] + (1.0 - momentum_) * mean[c]);
            running_variance[c] = static_cast<float>(momentum_ * running_variance[c] + (1.0 - momentum_) * unbiased);
        }
    }

    void running_statistics(const sluice_launch& launch, double* mean, std::int64_t begin, std::int64_t end) const {
        for (std::int64_t c = begin; c < end; ++c) {
            mean[c] = sdk::state(launch, 0)[c];
            mean[channels_ + c] = 1.0 / std::sqrt(sdk::state(launch, 1)[c] + epsilon_);
        }
    }

    // Writes the sums of dy for channels [begin, end), and at `sums` + C those of dy * normal. Stores them as parameter
    // gradients.
    void parameter_gradients(const sluice_launch& launch, double* sums, std::int64_t begin, std::int64_t end) const {
        const T* const x = sdk::input<T>(launch, 0);
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        const double* const mean = sdk::saved<double>(launch, 0);
        const double* const inverse = mean + channels_;
        double* const products = sums + channels_;
        std::fill(sums + begin, sums + end, 0.0);
        std::fill(products + begin, products + end, 0.0);
        for (std::int64_t m = 0; m < rows_; ++m) {
            for (std::int64_t c = begin; c < end; ++c) {
                const auto g = static_cast<double>(dy[m * channels_ + c]);
                sums[c] += g;
                products[c] += g * (static_cast<double>(x[m * channels_ + c]) - mean[c]) * inverse[c];
            }
        }
        store_parameter(launch, 0, products, begin, end);
        store_parameter(launch, 1, sums, begin, end);
    }

    static void store_parameter(const sluice_launch& launch, std::size_t index, const double* values,
                                std::int64_t begin, std::int64_t end) {
        float* const to = sdk::parameter_gradient(launch, index);
        for (std::int64_t c = begin; to != nullptr && c < end; ++c) {
            put(to + c, values[c], launch.accumulate_parameters != 0);
        }
    }

    std::int64_t channels_;
    std::int64_t rows_;
    bool trains_;
    double epsilon_;
    double momentum_;
    std::string joint_name_;  // empty: statistics of this replica alone
};

}  // namespace

KernelPtr make_batch_norm(const sdk::Node& node, const sdk::KernelSink& sink) {
    return make_typed<BatchNormKernel>(node, sink);
}

}  // namespace sluice::reference
