// dice of class numbers. The loss is the mean over K classes of 1 - (2 I + smooth) / D, with I = sum(p t), D = sum(p) +
// sum(t) + smooth, p the softmax and t the target as 0 or 1. d/dp = a t + b where a = -2 / (K D) and b = (2 I + smooth)
// / (K D^2).
#include <optional>
#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/row_blocks.hpp"
#include "sluice/sdk/labels.hpp"

namespace sluice::onednn {
namespace {

class Dice : public sdk::Kernel {
public:
    Dice(const sdk::Node& node, const sdk::KernelSink& sink)
        : blocks_(node.inputs()[0]),
          classes_(blocks_.classes()),
          label_type_(node.inputs()[1].dtype),
          ignored_(node.options().maybe_integer("ignore_label")),
          smooth_(node.options().number("smooth")),
          accumulates_(node.accumulates_gradient(0)) {
        sink.workspace(static_cast<std::uint64_t>(blocks_.pieces() * part_size()) * sizeof(double));
        sink.saved(static_cast<std::uint64_t>(blocks_.samples() * 2 * classes_) * sizeof(float));
        sink.backward_reads_input(0);
        sink.backward_reads_input(1);
        sink.note("own vector loops");
    }

    // Saves [N, 2, K]: a and b of each class.
    void forward(const sluice_launch& launch) override {
        auto* const parts = static_cast<double*>(launch.workspace);
        blocks_.for_pieces(launch, [&](std::int64_t piece) { sum_piece(launch, piece, parts + piece * part_size()); });
        float* const out = sdk::output<float>(launch, 0);
        const std::int64_t pieces = blocks_.pieces_of_sample();
        for (std::int64_t n = 0; n < blocks_.samples(); ++n) {
            double* const sums = parts + n * pieces * part_size();
            for (std::int64_t i = part_size(); i < pieces * part_size(); ++i) {
                sums[i % part_size()] += sums[i];
            }
            const bool counted = sums[2 * classes_] > 0.0;
            const double loss = loss_and_slopes(sums, sdk::saved<float>(launch, 0) + n * 2 * classes_);
            out[2 * n] = counted ? static_cast<float>(loss) : 0.0F;
            out[2 * n + 1] = counted ? 1.0F : 0.0F;
        }
    }

    void backward(const sluice_launch& launch) override {
        if (sdk::input_gradient<float>(launch, 0) != nullptr) {
            blocks_.for_pieces(launch, [&](std::int64_t piece) { write_piece(launch, piece); });
        }
    }

private:
    // Numbers of one piece: sum(p t) and sum(p) + sum(t) by class, and the count of positions that are not ignored.
    [[nodiscard]] std::int64_t part_size() const { return 2 * classes_ + 1; }
    [[nodiscard]] bool counts(std::int64_t label) const { return !ignored_ || label != *ignored_; }

    // Replaces the values of the block by the softmax. Sets `most` to 1 for a row that counts, and to 0 for an ignored
    // one.
    void normalise(RowBlock& block, const sdk::Labels& labels) const {
        for (std::int64_t r = 0; r < block.rows.count; ++r) {
            const auto at = static_cast<std::size_t>(r);
            block.sums[at] = 1.0F / block.sums[at];
            block.most[at] = counts(labels[block.first + r]) ? 1.0F : 0.0F;
        }
        scale_rows(block.values.data(), block.values.data(), block.rows, block.sums.data(), false);
    }

    void sum_piece(const sluice_launch& launch, std::int64_t piece, double* sums) const {
        const sdk::Labels labels(launch.inputs[1], label_type_);
        std::array<float, kBlockOfScores> all;
        std::fill_n(sums, part_size(), 0.0);
        blocks_.for_blocks(launch, piece, [&](RowBlock& block) {
            normalise(block, labels);
            std::fill_n(all.data(), classes_, 0.0F);
            add_rows(all.data(), block.values.data(), block.rows, block.most.data());
            for (std::int64_t c = 0; c < classes_; ++c) {
                sums[classes_ + c] += static_cast<double>(all[static_cast<std::size_t>(c)]);
            }
            for (std::int64_t r = 0; r < block.rows.count; ++r) {
                if (const std::int64_t label = labels[block.first + r]; counts(label)) {
                    sums[label] += static_cast<double>(block.values[static_cast<std::size_t>(r * classes_ + label)]);
                    sums[classes_ + label] += 1.0;
                    sums[2 * classes_] += 1.0;
                }
            }
        });
    }

    // Returns the loss of a sample from its sums; writes a and b to `slopes`.
    double loss_and_slopes(const double* sums, float* slopes) const {
        const auto classes = static_cast<double>(classes_);
        double loss = 0.0;
        for (std::int64_t c = 0; c < classes_; ++c) {
            // A class that is neither predicted nor in the target counts as right.
            const double d = sums[classes_ + c] + smooth_;
            const double dice = d > 0.0 ? (2.0 * sums[c] + smooth_) / d : 1.0;
            slopes[c] = d > 0.0 ? static_cast<float>(-2.0 / (classes * d)) : 0.0F;
            slopes[classes_ + c] = d > 0.0 ? static_cast<float>(dice / (classes * d)) : 0.0F;
            loss += (1.0 - dice) / classes;
        }
        return loss;
    }

    // Writes the gradient. With g = a t + b: d/dx = p (g - sum(g p)).
    void write_piece(const sluice_launch& launch, std::int64_t piece) const {
        const sdk::Labels labels(launch.inputs[1], label_type_);
        const auto seed = static_cast<float>(launch.scalars->loss_seed);
        const float* const a = sdk::saved<float>(launch, 0) + piece / blocks_.pieces_of_sample() * 2 * classes_;
        float* const to = sdk::input_gradient<float>(launch, 0);
        blocks_.for_blocks(launch, piece, [&](RowBlock& block) {
            normalise(block, labels);
            mean_rows(block.sums.data(), block.values.data(), block.rows, a + classes_);
            for (std::int64_t r = 0; r < block.rows.count; ++r) {
                const auto at = static_cast<std::size_t>(r);
                block.most[at] *= seed;
                if (const std::int64_t label = labels[block.first + r]; counts(label)) {
                    block.sums[at] += a[label] * block.values[static_cast<std::size_t>(r * classes_ + label)];
                }
            }
            slope_rows(to + block.first * classes_, block.values.data(), block.rows, a + classes_, block.sums.data(),
                       block.most.data(), accumulates_);
            for (std::int64_t r = 0; r < block.rows.count; ++r) {
                if (const std::int64_t label = labels[block.first + r]; counts(label)) {
                    const std::int64_t at = r * classes_ + label;
                    to[block.first * classes_ + at] += seed * a[label] * block.values[static_cast<std::size_t>(at)];
                }
            }
        });
    }

    RowBlocks blocks_;
    std::int64_t classes_;
    sluice_dtype label_type_;
    std::optional<std::int64_t> ignored_;
    double smooth_;
    bool accumulates_;
};

}  // namespace

std::optional<std::string> refuses_dice(const sdk::Node& node) {
    const sluice_tensor_spec& scores = node.inputs()[0];
    if (!sdk::is_label_type(node.inputs()[1].dtype) || scores.shape[scores.rank - 1] > kBlockOfScores) {
        return "computes dice only of class numbers and at most " + std::to_string(kBlockOfScores) + " classes";
    }
    return std::nullopt;
}

KernelPtr make_dice(const PlanContext& context) { return std::make_unique<Dice>(context.chain[0], context.sink); }

}  // namespace sluice::onednn
