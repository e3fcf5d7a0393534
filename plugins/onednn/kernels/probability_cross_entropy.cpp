// softmax_cross_entropy of probabilities t. Let w be the class weights, s the smoothing, p the softmax and u[c] = w[c]
// ((1 - s) t[c] + s / K). The loss is sum_c u[c] (-log p[c]), and d/dx[j] = p[j] sum(u) - u[j].
#include "kernels/probability_cross_entropy.hpp"

#include <array>
#include <cmath>
#include <vector>

#include "kernels/cross_entropy_rows.hpp"

namespace sluice::onednn {
namespace {

class ProbabilityCrossEntropy : public sdk::Kernel {
public:
    ProbabilityCrossEntropy(const sdk::Node& node, const sdk::KernelSink& sink)
        : rows_(node, sink),
          classes_(rows_.classes()),
          adds_{node.accumulates_gradient(0), node.accumulates_gradient(1)},
          exact_(rows_.weights().begin(), rows_.weights().end()),
          smooth_(exact_.size()) {
        for (std::size_t c = 0; c < exact_.size(); ++c) {
            const auto weight = static_cast<double>(exact_[c]);
            exact_[c] = static_cast<float>(rows_.exact() * weight);
            smooth_[c] = static_cast<float>(rows_.smooth() * weight);
        }
    }

    void forward(const sluice_launch& launch) override {
        rows_.sum(launch, [&](const ScoreRow& row, CrossEntropyRows::Sums& sums) {
            const float* const target = sdk::input<float>(launch, 1) + row.number * classes_;
            const double log_sum = row.log_sum();
            for (std::int64_t c = 0; c < classes_; ++c) {
                const float part = share(target, c);
                sums.loss += part == 0.0F ? 0.0 : static_cast<double>(part) * (log_sum + row.distance(c));
            }
            sums.weight += 1.0;
        });
    }

    void backward(const sluice_launch& launch) override {
        float* const to = sdk::input_gradient<float>(launch, 0);
        float* const to_target = sdk::input_gradient<float>(launch, 1);
        const float* const targets = sdk::input<float>(launch, 1);
        const auto seed = static_cast<float>(launch.scalars->loss_seed);
        rows_.for_blocks(launch, [&](const RowBlock& block) {
            rows_.for_rows(launch, block, [&](const ScoreRow& row) {
                const std::int64_t at = row.number * classes_;
                if (to != nullptr) {
                    put_gradient(to + at, row, targets + at, seed);
                }
                if (to_target != nullptr) {
                    put_target_gradient(to_target + at, row, seed);
                }
            });
        });
    }

private:
    // Returns u[c] for one row of targets.
    [[nodiscard]] float share(const float* target, std::int64_t c) const {
        const auto at = static_cast<std::size_t>(c);
        return exact_[at] * target[c] + smooth_[at];
    }

    void put_gradient(float* to, const ScoreRow& row, const float* target, float seed) const {
        double shares = 0.0;
        for (std::int64_t c = 0; c < classes_; ++c) {
            shares += static_cast<double>(share(target, c));
        }
        const auto factor = static_cast<float>(shares / static_cast<double>(row.sum));
        for (std::int64_t c = 0; c < classes_; ++c) {
            const float slope = seed * (factor * row.exponentials[c] - share(target, c));
            to[c] = adds_[0] ? to[c] + slope : slope;
        }
    }

    void put_target_gradient(float* to, const ScoreRow& row, float seed) const {
        const float log_sum = std::log(row.sum);
        for (std::int64_t c = 0; c < classes_; ++c) {
            const float slope = seed * exact_[static_cast<std::size_t>(c)] * (log_sum + (row.most - row.scores[c]));
            to[c] = adds_[1] ? to[c] + slope : slope;
        }
    }

    CrossEntropyRows rows_;
    std::int64_t classes_;
    std::array<bool, 2> adds_;   // for each input: adds to its gradient
    std::vector<float> exact_;   // by class: the weight times 1 - s
    std::vector<float> smooth_;  // by class: the weight times s / K
};

}  // namespace

KernelPtr make_probability_cross_entropy(const sdk::Node& node, const sdk::KernelSink& sink) {
    return std::make_unique<ProbabilityCrossEntropy>(node, sink);
}

}  // namespace sluice::onednn
