// The derivatives are d/dp = a t + b and d/dt = a p + b, where a = -2 / (K D), b = (2 I + smooth) / (K D^2),
// I = sum(p t), D = sum(p) + sum(t) + smooth, and K is the number of classes. For class numbers p is the softmax of the
// scores, for targets of 0 to 1 their sigmoid.
#include "kernels/class_labels.cuh"
#include "kernels/class_sums.cuh"
#include "kernels/gradient_place.cuh"
#include "kernels/kernels.hpp"
#include "kernels/node_kernel.hpp"

namespace sluice::cudnn {
namespace {

// Computes p and t of a place and class. targets: NULL if the targets are class numbers.
struct Dice {
    struct Place {
        float log_sum;
        std::int32_t label;  // -1: the place does not count
    };
    const float* scores;
    const float* targets;
    ClassLabels labels;
    std::int64_t classes;

    __device__ Place of_place(const RowGroup& group, std::int64_t i) const {
        if (targets != nullptr) {
            return {0.0F, 0};
        }
        return {log_sum_of_row(group, scores + i * classes, classes).value(), static_cast<std::int32_t>(labels[i])};
    }
    __device__ float probability(const Place& place, std::int64_t i, std::int64_t c) const {
        const float x = scores[i * classes + c];
        return targets != nullptr ? 1.0F / (1.0F + std::exp(-x)) : std::exp(x - place.log_sum);
    }
    __device__ float target(const Place& place, std::int64_t i, std::int64_t c) const {
        return targets != nullptr ? targets[i * classes + c] : static_cast<float>(place.label == c);
    }
    // Returns p t and p + t.
    __device__ SumPair of_class(const Place& place, std::int64_t i, std::int64_t c) const {
        if (place.label < 0) {
            return {0.0F, 0.0F};
        }
        const float p = probability(place, i, c);
        const float t = target(place, i, c);
        return {p * t, p + t};
    }
};

// One block per sample. out [N, 2]: the sample's loss, its weight; slopes [N, 2, K]: a and b of each class.
__global__ void write_dice_kernel(const SumPair* partial, std::int64_t pieces, std::int64_t classes, double smooth,
                                  bool has_labels, float* slopes, float* out) {
    const SumPair* const mine = partial + blockIdx.x * pieces * classes;
    float* const a = slopes + blockIdx.x * 2 * classes;
    const ClassThread thread(classes);
    const auto all = static_cast<double>(classes);
    double loss = 0.0;
    double either = 0.0;  // with class numbers, more than 0 if any place counts
    for (std::int64_t base = 0; base < classes; base += thread.width) {
        const std::int64_t c = base + thread.offset;
        const SumPair sums = add_class_pieces(thread, mine, pieces, classes, c);
        if (thread.slice == 0 && c < classes) {
            const double d = sums.weight + smooth;
            // A class that is neither predicted nor in the target counts as right.
            const double dice = d > 0.0 ? (2.0 * sums.sum + smooth) / d : 1.0;
            a[c] = d > 0.0 ? static_cast<float>(-2.0 / (all * d)) : 0.0F;
            a[classes + c] = d > 0.0 ? static_cast<float>(dice / (all * d)) : 0.0F;
            loss += (1.0 - dice) / all;
            either += sums.weight;
        }
    }
    loss = sum_over_block<kThreads>(loss);
    either = sum_over_block<kThreads>(either);
    if (threadIdx.x == 0) {
        const bool counts = !has_labels || !(either <= 0.0);
        out[2 * blockIdx.x] = counts ? static_cast<float>(loss) : 0.0F;
        out[2 * blockIdx.x + 1] = counts ? 1.0F : 0.0F;
    }
}

// For class numbers. to, scores [rows, classes]; the gradient of the softmax is p (slope - sum of slope p).
__global__ void softmax_dice_gradient_kernel(GradientPlace<float> to, Dice dice, const float* slopes, std::int64_t rows,
                                             std::int64_t places, unsigned threads,
                                             const sluice_step_scalars* scalars) {
    const auto seed = static_cast<float>(scalars->loss_seed);
    const RowGroup group(threads);
    for (std::int64_t first = std::int64_t{blockIdx.x} * group.of_block(); first < rows;
         first += std::int64_t{gridDim.x} * group.of_block()) {
        const bool has_row = first + group.index() < rows;
        const std::int64_t row = has_row ? first + group.index() : rows - 1;
        const Dice::Place place = dice.of_place(group, row);
        const float* const a = slopes + row / places * 2 * dice.classes;
        const float* const b = a + dice.classes;
        float mean = 0.0F;
        for (std::int64_t c = group.rank(); c < dice.classes; c += threads) {
            mean += (a[c] * dice.target(place, row, c) + b[c]) * dice.probability(place, row, c);
        }
        mean = group.sum(mean);
        for (std::int64_t c = group.rank(); c < dice.classes && has_row; c += threads) {
            const float slope = a[c] * dice.target(place, row, c) + b[c] - mean;
            const float value = seed * dice.probability(place, row, c) * slope;
            put_gradient(to, row * dice.classes + c, place.label < 0 ? 0.0F : value);
        }
    }
}

// For targets of 0 to 1. n: elements; per_sample: elements of one sample
__global__ void sigmoid_dice_gradient_kernel(GradientPlace<float> to, GradientPlace<float> to_target, Dice dice,
                                             const float* slopes, std::int64_t n, std::int64_t per_sample,
                                             const sluice_step_scalars* scalars) {
    const auto seed = static_cast<float>(scalars->loss_seed);
    const Dice::Place place{0.0F, 0};
    for (std::int64_t i = first_index(); i < n; i += index_stride()) {
        const std::int64_t c = i % dice.classes;
        const float* const a = slopes + i / per_sample * 2 * dice.classes + c;
        const float b = a[dice.classes];
        const float p = dice.probability(place, i / dice.classes, c);
        const float t = dice.target(place, i / dice.classes, c);
        if (to.to != nullptr) {
            put_gradient(to, i, seed * p * ((*a * t + b) * (1.0F - p)));
        }
        if (to_target.to != nullptr) {
            put_gradient(to_target, i, seed * (*a * p + b));
        }
    }
}

class DiceKernel : public NodeKernel {
public:
    DiceKernel(const sdk::Node& node, const sdk::KernelSink& sink)
        : NodeKernel(node),
          samples_(node.inputs()[0].shape[0]),
          classes_(node.inputs()[0].shape[node.inputs()[0].rank - 1]),
          places_(sdk::element_count(node.inputs()[0]) / samples_ / classes_),
          has_labels_(sdk::is_label_type(node.inputs()[1].dtype)),
          labels_(node),
          smooth_(node.options().number("smooth")),
          sums_(samples_, places_, classes_) {
        sink.saved(static_cast<std::uint64_t>(samples_ * 2 * classes_) * sizeof(float));
        sink.workspace(sums_.workspace());
    }

    void forward(const sluice_launch& launched) override {
        sums_.count(launched, dice(launched));
        launch(launched.stream, static_cast<unsigned>(samples_), kThreads, write_dice_kernel,
               static_cast<const SumPair*>(launched.workspace), sums_.pieces(), classes_, smooth_, has_labels_,
               sdk::saved<float>(launched, 0), sdk::output<float>(launched, 0));
    }

    void backward(const sluice_launch& launched) override {
        const GradientPlace<float> to{sdk::input_gradient<float>(launched, 0), adds_gradient(0)};
        const float* const slopes = sdk::saved<float>(launched, 0);
        const std::int64_t rows = samples_ * places_;
        if (!has_labels_) {
            const GradientPlace<float> to_target{sdk::input_gradient<float>(launched, 1), adds_gradient(1)};
            launch(launched.stream, blocks_for(rows * classes_), kThreads, sigmoid_dice_gradient_kernel, to, to_target,
                   dice(launched), slopes, rows * classes_, places_ * classes_, launched.scalars);
        } else if (to.to != nullptr) {
            launch(launched.stream, blocks_for_rows(rows, sums_.threads()), kThreads, softmax_dice_gradient_kernel, to,
                   dice(launched), slopes, rows, places_, sums_.threads(), launched.scalars);
        }
    }

private:
    [[nodiscard]] Dice dice(const sluice_launch& launched) const {
        return {sdk::input<float>(launched, 0), has_labels_ ? nullptr : sdk::input<float>(launched, 1),
                labels_.of(launched.inputs[1]), classes_};
    }

    std::int64_t samples_;
    std::int64_t classes_;
    std::int64_t places_;  // of one sample
    bool has_labels_;
    LabelReader labels_;
    double smooth_;
    ClassSums sums_;
};

}  // namespace

KernelPtr make_dice(const PlanContext& context) {
    context.sink.backward_reads_input(0);
    context.sink.backward_reads_input(1);
    return std::make_unique<DiceKernel>(context.node(), context.sink);
}

}  // namespace sluice::cudnn
