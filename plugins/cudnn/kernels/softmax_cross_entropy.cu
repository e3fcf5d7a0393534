// w are the class weights, s is the smoothing, K the number of classes, and p the softmax.
//
// A place of class y has the weight w[y] and the loss
//   (1 - s) w[y] (-log p[y]) + s / K sum_c w[c] (-log p[c]).
// The derivative by x[j] is (1 - s) w[y] (p[j] - [j = y]) + s / K (p[j] sum(w) - w[j]).
//
// A place of probabilities t has the weight 1, the shares u[c] = w[c] ((1 - s) t[c] + s / K), the loss
// sum_c u[c] (-log p[c]), and the derivative p[j] sum(u) - u[j].
#include "kernels/class_labels.cuh"
#include "kernels/gradient_place.cuh"
#include "kernels/kernels.hpp"
#include "kernels/node_kernel.hpp"
#include "kernels/place_sums.cuh"

namespace sluice::cudnn {
namespace {

// The terms that both kinds of targets share.
struct CrossEntropyTerms {
    const float* weights;  // of classes; NULL: 1
    float weight_sum;
    float exact;   // 1 - s
    float smooth;  // s / K
    std::int64_t classes;

    __device__ float weight(std::int64_t c) const { return weights == nullptr ? 1.0F : weights[c]; }
};

struct LabelCrossEntropy {
    CrossEntropyTerms terms;
    ClassLabels labels;

    __device__ SumPair of_place(const RowGroup& group, const float* x, std::int64_t i) const {
        const std::int64_t label = labels[i];
        const LogSum all = log_sum_of_row(group, x, terms.classes);
        float below = 0.0F;  // sum of the weighted distances from the largest score
        for (std::int64_t c = group.rank(); terms.smooth != 0.0F && c < terms.classes; c += group.threads()) {
            below += terms.weight(c) * (all.largest - x[c]);
        }
        below = group.sum(below);
        if (label < 0) {
            return {0.0F, 0.0F};
        }
        const float of_label = terms.weight(label) * (all.rest + (all.largest - x[label]));
        return {terms.exact * of_label + terms.smooth * (terms.weight_sum * all.rest + below), terms.weight(label)};
    }
};

// to, x [rows, classes]
__global__ void label_gradient_kernel(GradientPlace<float> to, const float* x, std::int64_t rows, unsigned threads,
                                      LabelCrossEntropy of, const sluice_step_scalars* scalars) {
    const auto seed = static_cast<float>(scalars->loss_seed);
    const CrossEntropyTerms& terms = of.terms;
    const RowGroup group(threads);
    for (std::int64_t first = std::int64_t{blockIdx.x} * group.of_block(); first < rows;
         first += std::int64_t{gridDim.x} * group.of_block()) {
        const std::int64_t row = first + group.index() < rows ? first + group.index() : rows - 1;
        const std::int64_t at = row * terms.classes;
        const std::int64_t label = of.labels[row];
        const float all = log_sum_of_row(group, x + at, terms.classes).value();
        const float exact = label < 0 ? 0.0F : terms.exact * terms.weight(label);
        const float smooth = label < 0 ? 0.0F : terms.smooth;
        for (std::int64_t c = group.rank(); c < terms.classes && first + group.index() < rows; c += threads) {
            const float p = label < 0 ? 0.0F : std::exp(x[at + c] - all);
            const float slope =
                exact * (p - (label == c ? 1.0F : 0.0F)) + smooth * (p * terms.weight_sum - terms.weight(c));
            put_gradient(to, at + c, seed * slope);
        }
    }
}

struct ProbabilityCrossEntropy {
    CrossEntropyTerms terms;
    const float* targets;  // [rows, classes]

    // Returns u of a class.
    __device__ float share(std::int64_t row, std::int64_t c) const {
        return terms.weight(c) * (terms.exact * targets[row * terms.classes + c] + terms.smooth);
    }
    __device__ SumPair of_place(const RowGroup& group, const float* x, std::int64_t row) const {
        const LogSum all = log_sum_of_row(group, x, terms.classes);
        float sum = 0.0F;
        for (std::int64_t c = group.rank(); c < terms.classes; c += group.threads()) {
            const float part = share(row, c);
            sum += part == 0.0F ? 0.0F : part * (all.rest + (all.largest - x[c]));
        }
        return {group.sum(sum), 1.0F};
    }
};

// scores [rows, classes]. Either place may be NULL.
__global__ void probability_gradient_kernel(GradientPlace<float> to, GradientPlace<float> to_target,
                                            const float* scores, ProbabilityCrossEntropy of, std::int64_t rows,
                                            unsigned threads, const sluice_step_scalars* scalars) {
    const auto seed = static_cast<float>(scalars->loss_seed);
    const std::int64_t classes = of.terms.classes;
    const RowGroup group(threads);
    for (std::int64_t first = std::int64_t{blockIdx.x} * group.of_block(); first < rows;
         first += std::int64_t{gridDim.x} * group.of_block()) {
        const bool has_row = first + group.index() < rows;
        const std::int64_t row = has_row ? first + group.index() : rows - 1;
        const std::int64_t at = row * classes;
        const float* const x = scores + at;
        const LogSum all = log_sum_of_row(group, x, classes);
        float shares = 0.0F;
        for (std::int64_t c = group.rank(); c < classes; c += threads) {
            shares += of.share(row, c);
        }
        shares = group.sum(shares);
        for (std::int64_t c = group.rank(); c < classes && has_row; c += threads) {
            const float log_p = x[c] - all.largest - all.rest;
            if (to.to != nullptr) {
                put_gradient(to, at + c, seed * (std::exp(log_p) * shares - of.share(row, c)));
            }
            if (to_target.to != nullptr) {
                put_gradient(to_target, at + c, -seed * of.terms.exact * of.terms.weight(c) * log_p);
            }
        }
    }
}

std::vector<double> class_weights(const sdk::Node& node) {
    return node.options().has("class_weights") ? node.options().numbers("class_weights") : std::vector<double>();
}

class SoftmaxCrossEntropyKernel : public NodeKernel {
public:
    SoftmaxCrossEntropyKernel(const sdk::Node& node, const sdk::KernelSink& sink)
        : NodeKernel(node),
          shape_(node),
          sums_(shape_),
          has_labels_(sdk::is_label_type(node.inputs()[1].dtype)),
          labels_(node),
          smoothing_(node.options().number("label_smoothing")),
          weights_(class_weights(node)) {
        sink.workspace(sums_.workspace() + weights_.bytes());
    }

    void forward(const sluice_launch& launched) override {
        if (has_labels_) {
            sums_.forward(launched, labelled(launched));
        } else {
            sums_.forward(launched, probabilities(launched));
        }
    }

    void backward(const sluice_launch& launched) override {
        const unsigned threads = sums_.threads();
        if (!has_labels_) {
            launch(launched.stream, blocks_for_rows(shape_.rows(), threads), kThreads, probability_gradient_kernel,
                   GradientPlace<float>{sdk::input_gradient<float>(launched, 0), adds_gradient(0)},
                   GradientPlace<float>{sdk::input_gradient<float>(launched, 1), adds_gradient(1)},
                   sdk::input<float>(launched, 0), probabilities(launched), shape_.rows(), threads, launched.scalars);
        } else if (float* const to = sdk::input_gradient<float>(launched, 0)) {
            launch(launched.stream, blocks_for_rows(shape_.rows(), threads), kThreads, label_gradient_kernel,
                   GradientPlace<float>{to, adds_gradient(0)}, sdk::input<float>(launched, 0), shape_.rows(), threads,
                   labelled(launched), launched.scalars);
        }
    }

private:
    // Writes the weights after the partial sums.
    [[nodiscard]] CrossEntropyTerms prepare(const sluice_launch& launched) const {
        auto* const place = reinterpret_cast<float*>(static_cast<std::byte*>(launched.workspace) + sums_.workspace());
        const float* const weights = weights_.write(place, launched.stream);
        return {.weights = weights,
                .weight_sum = weights == nullptr ? static_cast<float>(shape_.classes) : weights_.sum(),
                .exact = static_cast<float>(1.0 - smoothing_),
                .smooth = static_cast<float>(smoothing_ / static_cast<double>(shape_.classes)),
                .classes = shape_.classes};
    }

    [[nodiscard]] LabelCrossEntropy labelled(const sluice_launch& launched) const {
        return {prepare(launched), labels_.of(launched.inputs[1])};
    }
    [[nodiscard]] ProbabilityCrossEntropy probabilities(const sluice_launch& launched) const {
        return {prepare(launched), sdk::input<float>(launched, 1)};
    }

    ScoreShape shape_;
    PlaceSums sums_;
    bool has_labels_;
    LabelReader labels_;
    double smoothing_;
    NumberList weights_;
};

}  // namespace

KernelPtr make_softmax_cross_entropy(const PlanContext& context) {
    context.sink.backward_reads_input(0);
    context.sink.backward_reads_input(1);
    return std::make_unique<SoftmaxCrossEntropyKernel>(context.node(), context.sink);
}

}  // namespace sluice::cudnn
