// The loss of score x and target t is (1 - t) x + (1 + (p - 1) t) r(x). p is the weight of positive targets, and r(x) =
// log(1 + exp(-x)) is computed without overflow as log1p(exp(-|x|)) + max(-x, 0).
#include <cmath>

#include "kernels/class_labels.cuh"
#include "kernels/element_losses.cuh"
#include "kernels/kernels.hpp"
#include "kernels/node_kernel.hpp"

namespace sluice::cudnn {
namespace {

__device__ float rest(float x) { return std::log1p(std::exp(-std::fabs(x))) + (x < 0.0F ? -x : 0.0F); }

struct BinaryCrossEntropy {
    const float* weights;  // of positive targets, by channel; NULL: 1
    std::uint32_t channels;

    __device__ float more(std::int64_t i) const {  // p - 1
        return weights == nullptr ? 0.0F : weights[static_cast<std::uint32_t>(i) % channels] - 1.0F;
    }
    __device__ float loss(float x, float t, std::int64_t i) const {
        return (1.0F - t) * x + (1.0F + more(i) * t) * rest(x);
    }
    __device__ float slope(float x, float t, std::int64_t i) const {
        const float wrong = 1.0F / (1.0F + std::exp(x));  // sigmoid(-x)
        return 1.0F - t - (1.0F + more(i) * t) * wrong;
    }
    __device__ float target_slope(float x, float /*t*/, std::int64_t i) const { return more(i) * rest(x) - x; }
};

// x [N, per_sample], one channel; labels [N, per_sample]
__global__ void label_loss_kernel(const float* x, ClassLabels labels, std::int64_t per_sample, std::int64_t pieces,
                                  BinaryCrossEntropy error, SumPair* partial, float* out) {
    const std::int64_t begin = blockIdx.x / pieces * per_sample;
    SumPair mine{};
    for (std::int64_t i = blockIdx.x % pieces * kThreads + threadIdx.x; i < per_sample; i += pieces * kThreads) {
        const std::int64_t label = labels[begin + i];
        if (label >= 0) {
            mine.sum += error.loss(x[begin + i], static_cast<float>(label), 0);
            mine.weight += 1.0F;
        }
    }
    put_piece(mine, pieces, partial, out, WriteSums{});
}

__global__ void label_slope_kernel(const float* x, ClassLabels labels, std::int64_t n, BinaryCrossEntropy error,
                                   GradientPlace<float> place, const sluice_step_scalars* scalars) {
    const auto seed = static_cast<float>(scalars->loss_seed);
    for (std::int64_t i = first_index(); i < n; i += index_stride()) {
        const std::int64_t label = labels[i];
        const float slope = label >= 0 ? error.slope(x[i], static_cast<float>(label), 0) : 0.0F;
        put_gradient(place, i, seed * slope);
    }
}

// Returns pos_weight: no number, one for each channel, or one for all of them.
std::vector<double> positive_weights(const sdk::Node& node) {
    return node.options().has("pos_weight") ? node.options().numbers("pos_weight") : std::vector<double>();
}

class BinaryCrossEntropyKernel : public NodeKernel {
public:
    BinaryCrossEntropyKernel(const sdk::Node& node, const sdk::KernelSink& sink)
        : NodeKernel(node),
          samples_(node.inputs()[0].shape[0]),
          sums_(node.inputs()[0]),
          has_labels_(sdk::is_label_type(node.inputs()[1].dtype)),
          labels_(node),
          weights_(positive_weights(node)),
          channels_(static_cast<std::uint32_t>(std::max<std::size_t>(positive_weights(node).size(), 1))) {
        sink.workspace(sums_.workspace() + weights_.bytes());
    }

    void forward(const sluice_launch& launched) override {
        const BinaryCrossEntropy error = prepare(launched);
        if (!has_labels_) {
            sums_.forward(launched, error, WriteSums{});
            return;
        }
        auto* const partial = static_cast<SumPair*>(launched.workspace);
        const std::int64_t pieces = sums_.pieces();
        launch(launched.stream, static_cast<unsigned>(samples_ * pieces), kThreads, label_loss_kernel,
               sdk::input<float>(launched, 0), labels_.of(launched.inputs[1]), sums_.elements() / samples_, pieces,
               error, partial, sdk::output<float>(launched, 0));
        add_pieces(launched.stream, partial, samples_, pieces, sdk::output<float>(launched, 0), WriteSums{});
    }

    void backward(const sluice_launch& launched) override {
        const BinaryCrossEntropy error = prepare(launched);
        if (!has_labels_) {
            sums_.backward(launched, error, {adds_gradient(0), adds_gradient(1)});
        } else if (float* const to = sdk::input_gradient<float>(launched, 0)) {
            launch(launched.stream, blocks_for(sums_.elements()), kThreads, label_slope_kernel,
                   sdk::input<float>(launched, 0), labels_.of(launched.inputs[1]), sums_.elements(), error,
                   GradientPlace<float>{to, adds_gradient(0)}, launched.scalars);
        }
    }

private:
    // Writes the weights after the partial sums.
    [[nodiscard]] BinaryCrossEntropy prepare(const sluice_launch& launched) const {
        auto* const place = reinterpret_cast<float*>(static_cast<std::byte*>(launched.workspace) + sums_.workspace());
        return {weights_.write(place, launched.stream), channels_};
    }

    std::int64_t samples_;
    ElementSums sums_;
    bool has_labels_;
    LabelReader labels_;
    NumberList weights_;
    std::uint32_t channels_;  // of weights_
};

}  // namespace

KernelPtr make_binary_cross_entropy(const PlanContext& context) {
    context.sink.backward_reads_input(0);
    context.sink.backward_reads_input(1);
    return std::make_unique<BinaryCrossEntropyKernel>(context.node(), context.sink);
}

}  // namespace sluice::cudnn
