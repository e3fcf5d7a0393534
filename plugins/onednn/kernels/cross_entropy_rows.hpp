// Shared by softmax_cross_entropy of class numbers and of probabilities: the rows of scores, the weights of classes,
// the smoothing, and the sums of each sample.
#pragma once

#include <cmath>
#include <vector>

#include "kernels/row_blocks.hpp"

namespace sluice::onednn {

// The scores of one position of one sample.
struct ScoreRow {
    std::int64_t number;  // of the row, counted over all samples
    const float* scores;
    const float* exponentials;  // exp(score - most) of each class
    float most;                 // the largest score
    float sum;                  // of the exponentials

    [[nodiscard]] double log_sum() const { return std::log(static_cast<double>(sum)); }
    // Returns how far class c is below the largest score. The loss adds log_sum() to it, because
    // (most + log_sum()) - score would lose digits if scores are large.
    [[nodiscard]] double distance(std::int64_t c) const {
        return static_cast<double>(most) - static_cast<double>(scores[c]);
    }
};

class CrossEntropyRows {
public:
    struct Sums {
        double loss = 0.0;
        double weight = 0.0;
    };

    CrossEntropyRows(const sdk::Node& node, const sdk::KernelSink& sink)
        : blocks_(node.inputs()[0]),
          weights_(static_cast<std::size_t>(blocks_.classes()), 1.0),
          smoothing_(node.options().number("label_smoothing")) {
        if (node.options().has("class_weights")) {
            weights_ = node.options().numbers("class_weights");
        }
        sink.workspace(static_cast<std::uint64_t>(blocks_.pieces()) * sizeof(Sums));
        sink.backward_reads_input(0);
        sink.backward_reads_input(1);
        sink.note("own vector loops");
    }

    [[nodiscard]] std::int64_t classes() const { return blocks_.classes(); }
    [[nodiscard]] const std::vector<double>& weights() const { return weights_; }  // by class
    // Returns the share that the smoothing leaves to the target.
    [[nodiscard]] double exact() const { return 1.0 - smoothing_; }
    // Returns the share of `whole` that the smoothing gives to each class.
    [[nodiscard]] double smooth(double whole = 1.0) const {
        return whole * smoothing_ / static_cast<double>(classes());
    }

    // Writes output 0 [N, 2]: the sums of each sample. add(row, sums) adds those of one row.
    template <class Add>
    void sum(const sluice_launch& launch, const Add& add) const {
        auto* const parts = static_cast<Sums*>(launch.workspace);
        blocks_.for_pieces(launch, [&](std::int64_t piece) {
            Sums sums;
            blocks_.for_blocks(launch, piece, [&](const RowBlock& block) {
                for_rows(launch, block, [&](const ScoreRow& row) { add(row, sums); });
            });
            parts[piece] = sums;
        });
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

    // Calls body(block) for all blocks, in parallel.
    template <class Body>
    void for_blocks(const sluice_launch& launch, const Body& body) const {
        blocks_.for_pieces(launch, [&](std::int64_t piece) { blocks_.for_blocks(launch, piece, body); });
    }

    template <class Body>
    void for_rows(const sluice_launch& launch, const RowBlock& block, const Body& body) const {
        const float* const scores = sdk::input<float>(launch, 0);
        for (std::int64_t r = 0; r < block.rows.count; ++r) {
            const std::int64_t row = block.first + r;
            body(ScoreRow{.number = row,
                          .scores = scores + row * classes(),
                          .exponentials = block.values.data() + r * classes(),
                          .most = block.most[static_cast<std::size_t>(r)],
                          .sum = block.sums[static_cast<std::size_t>(r)]});
        }
    }

private:
    RowBlocks blocks_;
    std::vector<double> weights_;
    double smoothing_;
};

}  // namespace sluice::onednn
