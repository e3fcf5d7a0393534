// softmax_cross_entropy of class numbers by own vector loops, over blocks of rows that stay in the cache. Let w be the
// class weights, s the smoothing, p the softmax and y the class. Then d/dx[j] = (1 - s) w[y] (p[j] - [j = y]) + s / K
// (p[j] sum(w) - w[j]).
#include <numeric>
#include <optional>

#include "kernels/cross_entropy_rows.hpp"
#include "kernels/kernels.hpp"
#include "kernels/probability_cross_entropy.hpp"
#include "sluice/sdk/labels.hpp"

namespace sluice::onednn {
namespace {

class SoftmaxCrossEntropy : public sdk::Kernel {
public:
    SoftmaxCrossEntropy(const sdk::Node& node, const sdk::KernelSink& sink)
        : rows_(node, sink),
          label_type_(node.inputs()[1].dtype),
          ignored_(node.options().maybe_integer("ignore_label")),
          accumulates_(node.accumulates_gradient(0)),
          weight_sum_(std::accumulate(rows_.weights().begin(), rows_.weights().end(), 0.0)) {}

    void forward(const sluice_launch& launch) override {
        const sdk::Labels labels(launch.inputs[1], label_type_);
        rows_.sum(launch, [&](const ScoreRow& row, CrossEntropyRows::Sums& sums) {
            if (const std::int64_t label = labels[row.number]; counts(label)) {
                sums.loss += loss_of(row, label);
                sums.weight += weight_of(label);
            }
        });
    }

    void backward(const sluice_launch& launch) override {
        if (sdk::input_gradient<float>(launch, 0) != nullptr) {
            rows_.for_blocks(launch, [&](RowBlock& block) { write(launch, block); });
        }
    }

private:
    [[nodiscard]] bool counts(std::int64_t label) const { return !ignored_ || label != *ignored_; }
    [[nodiscard]] double weight_of(std::int64_t c) const { return rows_.weights()[static_cast<std::size_t>(c)]; }

    [[nodiscard]] double loss_of(const ScoreRow& row, std::int64_t label) const {
        const double log_sum = row.log_sum();
        const double exact = weight_of(label) * (log_sum + row.distance(label));
        if (rows_.smooth() == 0.0) {
            return exact;
        }
        double smooth = 0.0;
        for (std::int64_t c = 0; c < rows_.classes(); ++c) {
            smooth += weight_of(c) * (log_sum + row.distance(c));
        }
        return rows_.exact() * exact + rows_.smooth() * smooth;
    }

    void write(const sluice_launch& launch, RowBlock& block) const {
        float* const to = sdk::input_gradient<float>(launch, 0) + block.first * block.rows.classes;
        const sdk::Labels labels(launch.inputs[1], label_type_);
        const double seed = launch.scalars->loss_seed;
        for (std::int64_t r = 0; r < block.rows.count; ++r) {
            float& factor = block.sums[static_cast<std::size_t>(r)];
            factor = static_cast<float>(slope_of(labels[block.first + r], seed) / static_cast<double>(factor));
        }
        scale_rows(to, block.values.data(), block.rows, block.sums.data(), accumulates_);
        for (std::int64_t r = 0; r < block.rows.count; ++r) {
            if (const std::int64_t label = labels[block.first + r]; counts(label)) {
                subtract_target_part(to + r * block.rows.classes, label, seed);
            }
        }
    }

    // Returns the factor of p in the gradient; 0 for an ignored class.
    [[nodiscard]] double slope_of(std::int64_t label, double seed) const {
        return counts(label) ? seed * (rows_.exact() * weight_of(label) + rows_.smooth() * weight_sum_) : 0.0;
    }

    // Subtracts the part of the gradient that does not depend on p.
    void subtract_target_part(float* to, std::int64_t label, double seed) const {
        if (rows_.smooth() > 0.0) {
            const double smooth = rows_.smooth(seed);
            for (std::int64_t c = 0; c < rows_.classes(); ++c) {
                to[c] -= static_cast<float>(smooth * weight_of(c));
            }
        }
        to[label] -= static_cast<float>(seed * rows_.exact() * weight_of(label));
    }

    CrossEntropyRows rows_;
    sluice_dtype label_type_;
    std::optional<std::int64_t> ignored_;
    bool accumulates_;
    double weight_sum_;
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
    const sdk::Node node = context.chain[0];
    if (!sdk::is_label_type(node.inputs()[1].dtype)) {
        return make_probability_cross_entropy(node, context.sink);
    }
    return std::make_unique<SoftmaxCrossEntropy>(node, context.sink);
}

}  // namespace sluice::onednn
