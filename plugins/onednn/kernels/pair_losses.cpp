// Losses over pairs of numbers: mean_absolute_error, mean_squared_error, charbonnier, and binary_cross_entropy with
// float32 targets and one weight for all channels.
#include <algorithm>
#include <vector>

#include "kernels/kernels.hpp"
#include "math/differences.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kPiece = 16384;  // pairs

class PairLossKernel : public sdk::Kernel {
public:
    PairLossKernel(const PlanContext& context, const PairLoss& loss, float parameter)
        : samples_(context.chain[0].inputs()[0].shape[0]),
          per_sample_(sdk::element_count(context.chain[0].inputs()[0]) / samples_),
          pieces_((per_sample_ - 1) / kPiece + 1),
          accumulates_{context.chain[0].accumulates_gradient(0), context.chain[0].accumulates_gradient(1)},
          loss_(loss),
          parameter_(parameter) {
        context.sink.workspace(static_cast<std::uint64_t>(samples_ * pieces_) * sizeof(double));
        context.sink.backward_reads_input(0);
        context.sink.backward_reads_input(1);
        context.sink.note("own vector loops");
    }

    // Pieces of a sample are summed in order, so that the result does not depend on the number of threads.
    void forward(const sluice_launch& launch) override {
        auto* const parts = static_cast<double*>(launch.workspace);
        for_pieces(launch, [&](std::int64_t piece, std::int64_t begin, std::int64_t count) {
            parts[piece] = loss_.sum(sdk::input<float>(launch, 0) + begin, sdk::input<float>(launch, 1) + begin, count,
                                     parameter_);
        });
        float* const out = sdk::output<float>(launch, 0);
        for (std::int64_t n = 0; n < samples_; ++n) {
            double sum = 0.0;
            for (std::int64_t piece = n * pieces_; piece < (n + 1) * pieces_; ++piece) {
                sum += parts[piece];
            }
            out[2 * n] = static_cast<float>(sum);
            out[2 * n + 1] = static_cast<float>(per_sample_);
        }
    }

    void backward(const sluice_launch& launch) override {
        const auto seed = static_cast<float>(launch.scalars->loss_seed);
        write_gradient(launch, 0, loss_.by_first, seed);
        write_gradient(launch, 1, loss_.by_second != nullptr ? loss_.by_second : loss_.by_first,
                       loss_.by_second != nullptr ? seed : -seed);
    }

private:
    void write_gradient(const sluice_launch& launch, std::size_t input, PairGradient gradient, float factor) const {
        float* const to = sdk::input_gradient<float>(launch, input);
        if (to == nullptr) {
            return;
        }
        for_pieces(launch, [&](std::int64_t, std::int64_t begin, std::int64_t count) {
            gradient(to + begin, sdk::input<float>(launch, 0) + begin, sdk::input<float>(launch, 1) + begin, count,
                     factor, parameter_, accumulates_[input]);
        });
    }

    // Calls body(piece, first pair, number of pairs); piece and first pair are counted over all samples.
    template <class Body>
    void for_pieces(const sluice_launch& launch, const Body& body) const {
        sdk::parallel_for(
            launch.threads, samples_ * pieces_, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                for (std::int64_t piece = begin; piece < end; ++piece) {
                    const std::int64_t first = piece % pieces_ * kPiece;
                    body(piece, piece / pieces_ * per_sample_ + first, std::min(kPiece, per_sample_ - first));
                }
            });
    }

    std::int64_t samples_;
    std::int64_t per_sample_;
    std::int64_t pieces_;  // of one sample
    bool accumulates_[2];
    PairLoss loss_;
    float parameter_;
};

std::vector<double> positive_weights(const sdk::Node& node) {
    return node.options().has("pos_weight") ? node.options().numbers("pos_weight") : std::vector<double>{1.0};
}

}  // namespace

KernelPtr make_mean_absolute_error(const PlanContext& context) {
    return std::make_unique<PairLossKernel>(context, kAbsolute, 0.0F);
}

KernelPtr make_mean_squared_error(const PlanContext& context) {
    return std::make_unique<PairLossKernel>(context, kSquared, 0.0F);
}

KernelPtr make_charbonnier(const PlanContext& context) {
    const double epsilon = context.chain[0].options().number("epsilon");
    return std::make_unique<PairLossKernel>(context, kCharbonnier, static_cast<float>(epsilon));
}

std::optional<std::string> refuses_binary_cross_entropy(const sdk::Node& node) {
    if (positive_weights(node).size() != 1 || !sdk::same(node.inputs()[1].dtype, sdk::kFloat32)) {
        return "computes binary_cross_entropy only with targets in float32 and one pos_weight for all channels";
    }
    return std::nullopt;
}

KernelPtr make_binary_cross_entropy(const PlanContext& context) {
    const auto positive = static_cast<float>(positive_weights(context.chain[0]).front());
    return std::make_unique<PairLossKernel>(context, kBinaryCrossEntropy, positive);
}

}  // namespace sluice::onednn
