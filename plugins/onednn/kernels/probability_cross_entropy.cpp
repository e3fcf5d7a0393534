// softmax_cross_entropy of probabilities t: with w the class weights, s the smoothing and p the softmax, u[c] =
// w[c] ((1 - s) t[c] + s / K); the loss is sum_c u[c] (-log p[c]), and d/dx[j] = p[j] sum(u) - u[j].
#include "kernels/probability_cross_entropy.hpp"

#include <array>
#include <cmath>
#include <vector>

#include "kernels/row_blocks.hpp"
#include "math/softmax_rows.hpp"

namespace sluice::onednn {
namespace {

class ProbabilityCrossEntropy : public sdk::Kernel {
public:
    explicit ProbabilityCrossEntropy(const PlanContext& context)
        : blocks_(context.chain[0].inputs()[0],
                  sdk::element_count(context.chain[0].inputs()[0]) /
                      context.chain[0].inputs()[0].shape[context.chain[0].inputs()[0].rank - 1]),
          classes_(blocks_.classes()),
          adds_{context.chain[0].accumulates_gradient(0), context.chain[0].accumulates_gradient(1)},
          exact_(static_cast<std::size_t>(classes_), 1.0F),
          smooth_(static_cast<std::size_t>(classes_)) {
        const sdk::Options& options = context.chain[0].options();
        if (options.has("class_weights")) {
            const std::vector<double> weights = options.numbers("class_weights");
            exact_.assign(weights.begin(), weights.end());
        }
        const double smoothing = options.number("label_smoothing");
        for (std::size_t c = 0; c < exact_.size(); ++c) {
            const auto weight = static_cast<double>(exact_[c]);
            exact_[c] = static_cast<float>((1.0 - smoothing) * weight);
            smooth_[c] = static_cast<float>(smoothing / static_cast<double>(classes_) * weight);
        }
        context.sink.workspace(static_cast<std::uint64_t>(blocks_.pieces()) * sizeof(double));
        context.sink.backward_reads_input(0);
        context.sink.backward_reads_input(1);
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        auto* const parts = static_cast<double*>(launch.workspace);
        blocks_.for_pieces(launch, [&](std::int64_t piece) { parts[piece] = sum_piece(launch, piece); });
        float* const out = sdk::output<float>(launch, 0);
        const std::int64_t pieces = blocks_.pieces_of_sample();
        for (std::int64_t n = 0; n < blocks_.samples(); ++n) {
            double total = 0.0;
            for (std::int64_t piece = n * pieces; piece < (n + 1) * pieces; ++piece) {
                total += parts[piece];
            }
            out[2 * n] = static_cast<float>(total);
            out[2 * n + 1] = static_cast<float>(blocks_.places());
        }
    }

    void backward(const sluice_launch& launch) override {
        blocks_.for_pieces(launch, [&](std::int64_t piece) { write_piece(launch, piece); });
    }

private:
    // u of class c, of the target's row.
    [[nodiscard]] float share(const float* target, std::int64_t c) const {
        const auto at = static_cast<std::size_t>(c);
        return exact_[at] * target[c] + smooth_[at];
    }

    [[nodiscard]] double sum_piece(const sluice_launch& launch, std::int64_t piece) const {
        double sum = 0.0;
        RowBlock block;
        for_rows(launch, piece, block, [&](const Row& row) {
            // The largest score is taken off first: two large numbers would leave few digits.
            const double log_sum = std::log(static_cast<double>(row.sum));
            for (std::int64_t c = 0; c < classes_; ++c) {
                const auto distance = static_cast<double>(row.most) - static_cast<double>(row.scores[c]);
                const float part = share(row.target, c);
                sum += part == 0.0F ? 0.0 : static_cast<double>(part) * (log_sum + distance);
            }
        });
        return sum;
    }

    void write_piece(const sluice_launch& launch, std::int64_t piece) const {
        float* const to = sdk::input_gradient<float>(launch, 0);
        float* const to_target = sdk::input_gradient<float>(launch, 1);
        const auto seed = static_cast<float>(launch.scalars->loss_seed);
        RowBlock block;
        for_rows(launch, piece, block, [&](const Row& row) {
            if (to != nullptr) {
                put_gradient(to + row.first, row, seed);
            }
            if (to_target != nullptr) {
                put_target_gradient(to_target + row.first, row, seed);
            }
        });
    }

    struct Row {
        std::int64_t first;  // element
        const float* scores;
        const float* target;
        const float* exponentials;  // of what each score is below the largest
        float most;                 // the largest score
        float sum;                  // of the exponentials
    };

    template <class Body>
    void for_rows(const sluice_launch& launch, std::int64_t piece, RowBlock& block, const Body& body) const {
        const float* const scores = sdk::input<float>(launch, 0);
        const float* const targets = sdk::input<float>(launch, 1);
        blocks_.for_blocks(piece, [&](std::int64_t first, std::int64_t rows) {
            row_exponentials(block.values.data(), scores + first * classes_, {rows, classes_}, block.most.data(),
                             block.sums.data());
            for (std::int64_t r = 0; r < rows; ++r) {
                const std::int64_t at = (first + r) * classes_;
                body(Row{.first = at,
                         .scores = scores + at,
                         .target = targets + at,
                         .exponentials = block.values.data() + r * classes_,
                         .most = block.most[static_cast<std::size_t>(r)],
                         .sum = block.sums[static_cast<std::size_t>(r)]});
            }
        });
    }

    void put_gradient(float* to, const Row& row, float seed) const {
        double shares = 0.0;
        for (std::int64_t c = 0; c < classes_; ++c) {
            shares += static_cast<double>(share(row.target, c));
        }
        const auto factor = static_cast<float>(shares / static_cast<double>(row.sum));
        for (std::int64_t c = 0; c < classes_; ++c) {
            const float slope = seed * (factor * row.exponentials[c] - share(row.target, c));
            to[c] = adds_[0] ? to[c] + slope : slope;
        }
    }

    void put_target_gradient(float* to, const Row& row, float seed) const {
        const float log_sum = std::log(row.sum);
        for (std::int64_t c = 0; c < classes_; ++c) {
            const float slope = seed * exact_[static_cast<std::size_t>(c)] * (log_sum + (row.most - row.scores[c]));
            to[c] = adds_[1] ? to[c] + slope : slope;
        }
    }

    RowBlocks blocks_;
    std::int64_t classes_;
    std::array<bool, 2> adds_;   // to the gradients of its inputs
    std::vector<float> exact_;   // by class: the weight times 1 - s
    std::vector<float> smooth_;  // by class: the weight times s / K
};

}  // namespace

KernelPtr make_probability_cross_entropy(const PlanContext& context) {
    return std::make_unique<ProbabilityCrossEntropy>(context);
}

}  // namespace sluice::onednn
