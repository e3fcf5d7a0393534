// batch_norm and the layers after it in a chain. Our own loops replace oneDNN's: forward reads the input once for mean
// and variance and once for all layers. Backward reads input and gradient once for the sums and once for the rest.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "kernels/chain.hpp"
#include "kernels/element_types.hpp"
#include "library/workspace.hpp"
#include "math/moments.hpp"
#include "sluice/sdk/joint.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kMostPieces = 128;  // parts of the work; each has sums of its own
constexpr std::int64_t kGrainElements = 16384;

template <class Element>
class BatchNorm : public sdk::Kernel {
public:
    explicit BatchNorm(const PlanContext& context) : BatchNorm(context, context.chain[0].inputs()[0]) {
        const sdk::Node node = context.chain[0];
        epsilon_ = node.options().number("epsilon");
        momentum_ = node.options().number("momentum");
        const std::uint64_t table = static_cast<std::uint64_t>(width_) * sizeof(float);
        const auto pieces = static_cast<std::uint64_t>(std::max<std::int64_t>(wide_count_ / grain_, 1));
        coefficients_ = layout_.take(4 * table);
        sums_ = layout_.take(pieces * 4 * table);
        scratch_ = layout_.take(pieces * 2 * table);
        if (masks_.layers().trains && node.options().boolean("synchronized")) {
            joint_name_ = "statistics of " + std::string(node.path());
            joint_ = layout_.take(static_cast<std::uint64_t>(sdk::joint_scratch(channels_)) * sizeof(double));
        }
        context.sink.workspace(layout_.size());
        if (masks_.layers().trains) {
            context.sink.saved(4 * table);
            masks_.save_bits(context.sink, bit_bytes(rows_ * channels_, width_), 1);
            context.sink.backward_reads_input(0);
        }
        masks_.describe(context);
    }

    void forward(const sluice_launch& launch) override {
        const bool trains = masks_.layers().trains;
        const Coefficients now = coefficients(trains ? sdk::saved<float>(launch, 0) : at(launch, coefficients_));
        if (trains) {
            use_batch(launch, now);
        } else {
            use_running(launch, now);
        }
        ChainPass pass = masks_.pass(launch);
        pass.factor = now.factor;
        pass.shift = now.shift;
        const ForwardRows<Element> all = masks_.forward<Element>(launch);
        for_elements(launch, [&](const Elements& range, std::uint32_t) { chain_forward(pass, all, range); });
    }

    void backward(const sluice_launch& launch) override {
        const Coefficients saved = coefficients(sdk::saved<float>(launch, 0));
        const BackwardRows<Element> all = masks_.backward<Element>(launch);
        const Element* x = sdk::input<Element>(launch, 0);
        double* totals = gradient_sums(launch, all, x, saved.mean);
        store_parameter_gradients(launch, totals, saved.inverse);
        const double count = join(launch, totals, totals + width_, sdk::join_sums);
        Element* gradient = masks_.first_gradient<Element>(launch);
        if (gradient == nullptr) {
            return;
        }
        float* slope = at(launch, coefficients_);
        float* offset = slope + width_;
        input_coefficients(saved, totals, count, slope, offset);
        const InputGradient by{saved.factor, slope, offset, masks_.layers().adds_first};
        for_elements(launch,
                     [&](const Elements& range, std::uint32_t) { chain_input_gradient(all, x, by, gradient, range); });
    }

private:
    // Tables of [width]. y = x * factor + shift. inverse: 1 / standard deviation of the batch, of which only the first
    // C numbers are used.
    struct Coefficients {
        float* factor;
        float* shift;
        float* mean;
        float* inverse;
    };
    [[nodiscard]] Coefficients coefficients(float* memory) const {
        return {memory, memory + width_, memory + 2 * width_, memory + 3 * width_};
    }
    // Returns [2 width] sums of one piece.
    [[nodiscard]] double* sums(const sluice_launch& launch, std::int64_t piece) const {
        return reinterpret_cast<double*>(at(launch, sums_)) + piece * 2 * width_;
    }

    // Calls body(range, piece) in parallel.
    template <class Body>
    void for_elements(const sluice_launch& launch, const Body& body) const {
        sdk::parallel_for(launch.threads, wide_count_, grain_,
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t piece) {
                              body(Elements{begin * width_, std::min(end * width_, rows_ * channels_), width_}, piece);
                          });
    }

    // Returns mean and variance of the batch, merged from the pieces in their order.
    Moments batch_moments(const sluice_launch& launch) const {
        const Element* x = sdk::input<Element>(launch, 0);
        std::int64_t piece_rows[kMostPieces] = {};
        for_elements(launch, [&](const Elements& range, std::uint32_t piece) {
            Moments mine{sums(launch, piece), sums(launch, piece) + width_, 0};
            compute_moments(mine, x + range.begin, (range.end - range.begin) / channels_, wide_,
                            at(launch, scratch_) + piece * 2 * width_);
            piece_rows[piece] = mine.rows;
        });
        Moments all{sums(launch, 0), sums(launch, 0) + width_, piece_rows[0]};
        for (std::int64_t piece = 1; piece < kMostPieces && piece_rows[piece] > 0; ++piece) {
            merge(all, {sums(launch, piece), sums(launch, piece) + width_, piece_rows[piece]}, channels_);
        }
        return all;
    }

    // Returns the number of rows: of all replicas if statistics are synchronized, else of this one. If so, joins
    // `first` and `second` too.
    template <class Join>
    double join(const sluice_launch& launch, double* first, double* second, const Join& join_pair) const {
        return joint_name_.empty() ? static_cast<double>(rows_)
                                   : join_pair(launch, rows_, channels_, first, second,
                                               reinterpret_cast<double*>(at(launch, joint_)), joint_name_);
    }

    void use_batch(const sluice_launch& launch, const Coefficients& to) const {
        const Moments all = batch_moments(launch);
        const double count = join(launch, all.mean, all.squares, sdk::join_moments);
        float* running_mean = sdk::state(launch, 0);
        float* running_variance = sdk::state(launch, 1);
        const double unbiased = std::max(count - 1.0, 1.0);
        for (std::int64_t c = 0; c < channels_; ++c) {
            const double inverse = 1.0 / std::sqrt(all.squares[c] / count + epsilon_);
            const double factor = sdk::parameter(launch, 0)[c] * inverse;
            to.factor[c] = static_cast<float>(factor);
            to.shift[c] = static_cast<float>(sdk::parameter(launch, 1)[c] - all.mean[c] * factor);
            to.mean[c] = static_cast<float>(all.mean[c]);
            to.inverse[c] = static_cast<float>(inverse);
            running_mean[c] = mixed(running_mean[c], all.mean[c]);
            running_variance[c] = mixed(running_variance[c], all.squares[c] / unbiased);
        }
        for (float* table : {to.factor, to.shift, to.mean}) {
            wide_.repeat(table);
        }
    }
    [[nodiscard]] float mixed(float running, double batch) const {
        return static_cast<float>(momentum_ * running + (1.0 - momentum_) * batch);
    }

    void use_running(const sluice_launch& launch, const Coefficients& to) const {
        for (std::int64_t c = 0; c < channels_; ++c) {
            const double factor = sdk::parameter(launch, 0)[c] / std::sqrt(sdk::state(launch, 1)[c] + epsilon_);
            to.factor[c] = static_cast<float>(factor);
            to.shift[c] = static_cast<float>(sdk::parameter(launch, 1)[c] - sdk::state(launch, 0)[c] * factor);
        }
        wide_.repeat(to.factor);
        wide_.repeat(to.shift);
    }

    // Returns [2 width] sums of g and of g (x - mean); only the first C of each half are valid.
    double* gradient_sums(const sluice_launch& launch, const BackwardRows<Element>& all, const Element* x,
                          const float* mean) const {
        bool used[kMostPieces] = {};
        for_elements(launch, [&](const Elements& range, std::uint32_t piece) {
            std::fill_n(sums(launch, piece), 2 * width_, 0.0);
            chain_gradient_sums(all, x, mean, range, sums(launch, piece));
            used[piece] = true;
        });
        double* total = sums(launch, 0);
        for (std::int64_t piece = 1; piece < kMostPieces && used[piece]; ++piece) {
            const double* mine = sums(launch, piece);
            std::transform(total, total + 2 * width_, mine, total, std::plus<>());
        }
        wide_.fold(total);
        wide_.fold(total + width_);
        return total;
    }

    // Let g be the gradient of batch_norm's output and n the number of rows. Then the gradient of x is
    // factor * (g - sum(g) / n - (x - mean) * inverse^2 * sum(g (x - mean)) / n) = factor * g + slope * x + offset.
    void input_coefficients(const Coefficients& saved, const double* totals, double count, float* slope,
                            float* offset) const {
        for (std::int64_t c = 0; c < channels_; ++c) {
            const double inverse = saved.inverse[c];
            const double by_x = -saved.factor[c] * inverse * inverse * totals[width_ + c] / count;
            slope[c] = static_cast<float>(by_x);
            offset[c] = static_cast<float>(-saved.factor[c] * totals[c] / count - by_x * saved.mean[c]);
        }
        wide_.repeat(slope);
        wide_.repeat(offset);
    }

    void store_parameter_gradients(const sluice_launch& launch, const double* totals, const float* inverse) const {
        const bool add = launch.accumulate_parameters != 0;
        float* gamma = sdk::parameter_gradient(launch, 0);
        float* beta = sdk::parameter_gradient(launch, 1);
        for (std::int64_t c = 0; c < channels_; ++c) {
            if (gamma != nullptr) {
                gamma[c] = (add ? gamma[c] : 0.0F) + static_cast<float>(totals[width_ + c] * inverse[c]);
            }
            if (beta != nullptr) {
                beta[c] = (add ? beta[c] : 0.0F) + static_cast<float>(totals[c]);
            }
        }
    }

    BatchNorm(const PlanContext& context, const sluice_tensor_spec& input)
        : channels_(input.shape[input.rank - 1]),
          rows_(sdk::element_count(input) / channels_),
          wide_(wide_rows(rows_, channels_)),
          width_(wide_.width()),
          wide_count_((rows_ - 1) / wide_.together + 1),
          grain_(std::max(wide_count_ / kMostPieces + 1, kGrainElements / width_)),
          masks_(*read_chain(context.chain)) {}

    std::int64_t channels_;
    std::int64_t rows_;
    WideRows wide_;
    std::int64_t width_;
    std::int64_t wide_count_;
    std::int64_t grain_;  // in wide rows
    ChainMasks masks_;
    double epsilon_ = 0.0;
    double momentum_ = 0.0;
    Layout layout_;
    std::uint64_t coefficients_ = 0;
    std::uint64_t sums_ = 0;
    std::uint64_t scratch_ = 0;
    std::uint64_t joint_ = 0;
    std::string joint_name_;  // empty: statistics of this replica alone
};

}  // namespace

KernelPtr make_batch_norm(const PlanContext& context) { return make_typed<BatchNorm>(context); }

}  // namespace sluice::onednn
