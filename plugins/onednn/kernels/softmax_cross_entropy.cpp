// softmax_cross_entropy of class numbers: blocks of rows that stay in the cache, through own vector loops. With w the
// class weights, s the smoothing and p the softmax: d/dx[j] = (1 - s) w[y] (p[j] - [j = y]) + s / K (p[j] sum(w) -
// w[j]).
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/probability_cross_entropy.hpp"
#include "kernels/row_blocks.hpp"
#include "math/softmax_rows.hpp"
#include "sluice/sdk/labels.hpp"

namespace sluice::onednn {
namespace {

struct Sums {
    double loss = 0.0;
    double weight = 0.0;
};

class SoftmaxCrossEntropy : public sdk::Kernel {
public:
    explicit SoftmaxCrossEntropy(const PlanContext& context)
        : blocks_(context.chain[0].inputs()[0], sdk::element_count(context.chain[0].inputs()[1])),
          classes_(blocks_.classes()),
          label_type_(context.chain[0].inputs()[1].dtype),
          ignored_(context.chain[0].options().maybe_integer("ignore_label")),
          smoothing_(context.chain[0].options().number("label_smoothing")),
          accumulates_(context.chain[0].accumulates_gradient(0)),
          weights_(static_cast<std::size_t>(classes_), 1.0) {
        if (context.chain[0].options().has("class_weights")) {
            weights_ = context.chain[0].options().numbers("class_weights");
        }
        weight_sum_ = std::accumulate(weights_.begin(), weights_.end(), 0.0);
        context.sink.workspace(static_cast<std::uint64_t>(blocks_.pieces()) * sizeof(Sums));
        context.sink.backward_reads_input(0);
        context.sink.backward_reads_input(1);
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        Sums* const parts = static_cast<Sums*>(launch.workspace);
        blocks_.for_pieces(launch, [&](std::int64_t piece) { parts[piece] = sum_piece(launch, piece); });
        float* const out = sdk::output<float>(launch, 0);
        const std::int64_t pieces = blocks_.pieces_of_sample();
        for (std::int64_t n = 0; n < blocks_.samples(); ++n) {
            Sums total;
            for (std::int64_t piece = n * pieces; piece < (n + 1) * pieces; ++piece) {
                total.loss += parts[piece].loss;
                total.weight += parts[piece].weight;
            }
            out[2 * n] = static_cast<float>(total.loss);
            out[2 * n + 1] = static_cast<float>(total.weight);
        }
    }

    void backward(const sluice_launch& launch) override {
        if (sdk::input_gradient<float>(launch, 0) != nullptr) {
            blocks_.for_pieces(launch, [&](std::int64_t piece) { write_piece(launch, piece); });
        }
    }

private:
    [[nodiscard]] bool counts(std::int64_t label) const { return !ignored_ || label != *ignored_; }
    [[nodiscard]] double weight_of(std::int64_t label) const { return weights_[static_cast<std::size_t>(label)]; }

    Sums sum_piece(const sluice_launch& launch, std::int64_t piece) const {
        const float* const scores = sdk::input<float>(launch, 0);
        const sdk::Labels labels(launch.inputs[1], label_type_);
        Sums sums;
        RowBlock block;
        blocks_.for_blocks(piece, [&](std::int64_t first, std::int64_t rows) {
            row_exponentials(block.values.data(), scores + first * classes_, {rows, classes_}, block.most.data(),
                             block.sums.data());
            for (std::int64_t r = 0; r < rows; ++r) {
                const std::int64_t label = labels[first + r];
                if (counts(label)) {
                    const auto at = static_cast<std::size_t>(r);
                    // The largest score is taken off first: two large numbers would leave few digits.
                    const double log_sum = std::log(static_cast<double>(block.sums[at]));
                    sums.loss += loss_of(scores + (first + r) * classes_, label, block.most[at], log_sum);
                    sums.weight += weight_of(label);
                }
            }
        });
        return sums;
    }

    [[nodiscard]] double loss_of(const float* scores, std::int64_t label, double most, double log_sum) const {
        const double exact = weight_of(label) * (log_sum - (static_cast<double>(scores[label]) - most));
        if (smoothing_ == 0.0) {
            return exact;
        }
        double smooth = 0.0;
        for (std::int64_t c = 0; c < classes_; ++c) {
            smooth += weight_of(c) * (log_sum - (static_cast<double>(scores[c]) - most));
        }
        return (1.0 - smoothing_) * exact + smoothing_ / static_cast<double>(classes_) * smooth;
    }

    void write_piece(const sluice_launch& launch, std::int64_t piece) const {
        const float* const scores = sdk::input<float>(launch, 0);
        float* const to = sdk::input_gradient<float>(launch, 0);
        const sdk::Labels labels(launch.inputs[1], label_type_);
        const double seed = launch.scalars->loss_seed;
        RowBlock block;
        blocks_.for_blocks(piece, [&](std::int64_t first, std::int64_t rows) {
            row_exponentials(block.values.data(), scores + first * classes_, {rows, classes_}, block.most.data(),
                             block.sums.data());
            for (std::int64_t r = 0; r < rows; ++r) {
                float& factor = block.sums[static_cast<std::size_t>(r)];
                factor = static_cast<float>(slope_of(labels[first + r], seed) / static_cast<double>(factor));
            }
            scale_rows(to + first * classes_, block.values.data(), {rows, classes_}, block.sums.data(), accumulates_);
            for (std::int64_t r = 0; r < rows; ++r) {
                if (counts(labels[first + r])) {
                    take_target(to + (first + r) * classes_, labels[first + r], seed);
                }
            }
        });
    }

    // What p is multiplied by; 0 where the place does not count.
    [[nodiscard]] double slope_of(std::int64_t label, double seed) const {
        if (!counts(label)) {
            return 0.0;
        }
        return seed *
               ((1.0 - smoothing_) * weight_of(label) + smoothing_ / static_cast<double>(classes_) * weight_sum_);
    }

    // The part of the gradient that does not depend on p.
    void take_target(float* to, std::int64_t label, double seed) const {
        if (smoothing_ > 0.0) {
            const double smooth = seed * smoothing_ / static_cast<double>(classes_);
            for (std::int64_t c = 0; c < classes_; ++c) {
                to[c] -= static_cast<float>(smooth * weight_of(c));
            }
        }
        to[label] -= static_cast<float>(seed * (1.0 - smoothing_) * weight_of(label));
    }

    RowBlocks blocks_;
    std::int64_t classes_;
    sluice_dtype label_type_;
    std::optional<std::int64_t> ignored_;
    double smoothing_;
    bool accumulates_;
    std::vector<double> weights_;
    double weight_sum_ = 0.0;
};

}  // namespace

std::optional<std::string> refuses_softmax_cross_entropy(const sdk::Node& node) {
    const sluice_tensor_spec& scores = node.inputs()[0];
    const std::int64_t classes = scores.shape[scores.rank - 1];
    if (classes > kBlockOfScores) {
        return "computes softmax_cross_entropy of at most " + std::to_string(kBlockOfScores) + " classes; there are " +
               std::to_string(classes);
    }
    return std::nullopt;
}

KernelPtr make_softmax_cross_entropy(const PlanContext& context) {
    if (!sdk::is_label_type(context.chain[0].inputs()[1].dtype)) {
        return make_probability_cross_entropy(context);
    }
    return std::make_unique<SoftmaxCrossEntropy>(context);
}

}  // namespace sluice::onednn
