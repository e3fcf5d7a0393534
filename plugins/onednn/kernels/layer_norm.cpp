// layer_norm: own vector loops over rows, because oneDNN has no layout for more than one axis and cannot accumulate
// gradients.
#include <algorithm>
#include <vector>

#include "kernels/element_types.hpp"
#include "library/workspace.hpp"
#include "math/layer_norm_loops.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kNormGrain = 8192;
// Rows are divided into pieces, each with sums of its own for the gradients of parameters. Their number depends on the
// shape, not on the threads.
constexpr std::int64_t kMostNormPieces = 64;
constexpr std::int64_t kMostBytes = 4 << 20;

template <class Element>
class LayerNorm : public sdk::Kernel {
public:
    explicit LayerNorm(const PlanContext& context) {
        const sdk::Node node = context.chain[0];
        const sluice_tensor_spec& input = node.inputs()[0];
        for (std::int64_t i = 0; i < input.rank; ++i) {
            (i < input.rank - node.options().integer("axes") ? rows_ : width_) *= input.shape[i];
        }
        affine_ = !node.parameters().empty();
        epsilon_ = node.options().number("epsilon");
        accumulates_ = node.accumulates_gradient(0);
        trains_ = node.trains();
        ones_.assign(affine_ ? 0 : static_cast<std::size_t>(width_), 1.0F);
        zeros_.assign(affine_ ? 0 : static_cast<std::size_t>(width_), 0.0F);
        const std::uint64_t statistics = 2 * static_cast<std::uint64_t>(rows_) * sizeof(float);
        const std::int64_t fit = kMostBytes / (2 * width_ * static_cast<std::int64_t>(sizeof(double) + sizeof(float)));
        pieces_ = std::clamp<std::int64_t>(fit, 1, std::min(kMostNormPieces, rows_));
        if (trains_) {
            const auto sums = static_cast<std::uint64_t>(affine_ ? pieces_ * 2 * width_ : 0);
            sums_ = layout_.take(sums * sizeof(double));
            scratch_ = layout_.take(sums * sizeof(float));
            context.sink.saved(statistics);  // mean and inverse of each row
            context.sink.backward_reads_input(0);
        } else {
            statistics_ = layout_.take(statistics);
        }
        context.sink.workspace(layout_.size());
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        const float* const beta = affine_ ? sdk::parameter(launch, 1) : zeros_.data();
        auto* const y = sdk::output<Element>(launch, 0);
        for_rows(launch, [&](std::int64_t begin, std::int64_t end) {
            normalise_rows(rows_at(launch, begin), beta, epsilon_, {end - begin, width_}, y + begin * width_);
        });
    }

    void backward(const sluice_launch& launch) override {
        const auto* const gradient = sdk::output_gradient<Element>(launch, 0);
        if (auto* const dx = sdk::input_gradient<Element>(launch, 0)) {
            for_rows(launch, [&](std::int64_t begin, std::int64_t end) {
                normalised_gradient(rows_at(launch, begin), gradient + begin * width_, {end - begin, width_},
                                    dx + begin * width_, accumulates_);
            });
        }
        if (affine_ && (launch.parameter_gradients[0] != nullptr || launch.parameter_gradients[1] != nullptr)) {
            parameter_gradients(launch, gradient);
        }
    }

private:
    template <class Body>
    void for_rows(const sluice_launch& launch, const Body& body) const {
        const std::int64_t grain = std::max<std::int64_t>(kNormGrain / width_, 1);
        sdk::parallel_for(launch.threads, rows_, grain,
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) { body(begin, end); });
    }

    [[nodiscard]] LayerNormRows<Element> rows_at(const sluice_launch& launch, std::int64_t row) const {
        float* const statistics = trains_ ? sdk::saved<float>(launch, 0) : at(launch, statistics_);
        return {.x = sdk::input<Element>(launch, 0) + row * width_,
                .gamma = affine_ ? sdk::parameter(launch, 0) : ones_.data(),
                .mean = statistics + row,
                .inverse = statistics + rows_ + row};
    }

    void parameter_gradients(const sluice_launch& launch, const Element* gradient) const {
        auto* const sums = reinterpret_cast<double*>(at(launch, sums_));
        sdk::parallel_for(launch.threads, pieces_, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t piece = begin; piece < end; ++piece) {
                const std::int64_t first = piece * rows_ / pieces_;
                const std::int64_t last = (piece + 1) * rows_ / pieces_;
                std::fill_n(sums + piece * 2 * width_, 2 * width_, 0.0);
                add_layer_sums(rows_at(launch, first), gradient + first * width_, {last - first, width_},
                               sums + piece * 2 * width_, at(launch, scratch_) + piece * 2 * width_);
            }
        });
        for (std::size_t parameter = 0; parameter < 2; ++parameter) {
            float* const to = sdk::parameter_gradient(launch, parameter);
            for (std::int64_t c = 0; to != nullptr && c < width_; ++c) {
                double sum = launch.accumulate_parameters != 0 ? to[c] : 0.0;
                for (std::int64_t piece = 0; piece < pieces_; ++piece) {
                    sum += sums[(2 * piece + static_cast<std::int64_t>(parameter)) * width_ + c];
                }
                to[c] = static_cast<float>(sum);
            }
        }
    }

    std::int64_t rows_ = 1;
    std::int64_t width_ = 1;
    std::int64_t pieces_ = 1;
    bool affine_ = false;
    bool accumulates_ = false;
    bool trains_ = false;
    double epsilon_ = 0.0;
    std::vector<float> ones_;  // used as gamma and beta if the layer has none
    std::vector<float> zeros_;
    Layout layout_;
    std::uint64_t statistics_ = 0;
    std::uint64_t sums_ = 0;
    std::uint64_t scratch_ = 0;
};

}  // namespace

KernelPtr make_layer_norm(const PlanContext& context) { return make_typed<LayerNorm>(context); }

}  // namespace sluice::onednn
