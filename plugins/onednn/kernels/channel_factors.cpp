// layer_scale and prelu: own vector loops over rows of channels.
#include "math/channel_factors.hpp"

#include <algorithm>
#include <vector>

#include "kernels/element_types.hpp"
#include "library/workspace.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kFactorGrain = 8192;
// Rows are divided into pieces, each with sums of its own for the gradients of the factors. Their number depends on the
// shape, not on the threads.
constexpr std::int64_t kMostFactorPieces = 64;

template <class Element>
class ChannelFactors : public sdk::Kernel {
public:
    explicit ChannelFactors(const PlanContext& context) {
        const sdk::Node node = context.chain[0];
        const sluice_tensor_spec& input = node.inputs()[0];
        width_ = input.shape[input.rank - 1];
        rows_ = sdk::element_count(input) / width_;
        is_prelu_ = node.type() == "prelu";
        is_shared_ = sdk::element_count(node.parameters()[0]) < width_;
        accumulates_ = node.accumulates_gradient(0);
        pieces_ = std::min(kMostFactorPieces, rows_);
        const auto width = static_cast<std::uint64_t>(width_);
        factors_ = layout_.take(is_shared_ ? width * sizeof(float) : 0);
        if (node.trains()) {
            const std::uint64_t sums = static_cast<std::uint64_t>(pieces_) * width;
            sums_ = layout_.take(sums * sizeof(double));
            scratch_ = layout_.take(sums * sizeof(float));
            context.sink.backward_reads_input(0);
        }
        context.sink.workspace(layout_.size());
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        const float* const factors = factors_of(launch);
        for_rows(launch, [&](std::int64_t at, const RowShape& shape) {
            Element* const to = sdk::output<Element>(launch, 0) + at;
            const Element* const from = sdk::input<Element>(launch, 0) + at;
            is_prelu_ ? prelu(to, from, factors, shape) : scale_channels(to, from, factors, shape, false);
        });
    }

    void backward(const sluice_launch& launch) override {
        const Element* const x = sdk::input<Element>(launch, 0);
        const Element* const gradient = sdk::output_gradient<Element>(launch, 0);
        if (Element* const dx = sdk::input_gradient<Element>(launch, 0)) {
            const float* const factors = factors_of(launch);
            for_rows(launch, [&](std::int64_t at, const RowShape& shape) {
                is_prelu_ ? prelu_gradient(dx + at, x + at, gradient + at, factors, shape, accumulates_)
                          : scale_channels(dx + at, gradient + at, factors, shape, accumulates_);
            });
        }
        if (sdk::parameter_gradient(launch, 0) != nullptr) {
            factor_gradients(launch, x, gradient);
        }
    }

private:
    // Calls body(first element, rows) in parallel.
    template <class Body>
    void for_rows(const sluice_launch& launch, const Body& body) const {
        const std::int64_t grain = std::max<std::int64_t>(kFactorGrain / width_, 1);
        sdk::parallel_for(launch.threads, rows_, grain, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            body(begin * width_, RowShape{end - begin, width_});
        });
    }

    // A factor for each channel, also if all of them share one.
    [[nodiscard]] const float* factors_of(const sluice_launch& launch) const {
        if (!is_shared_) {
            return sdk::parameter(launch, 0);
        }
        float* const copies = at(launch, factors_);
        std::fill_n(copies, width_, sdk::parameter(launch, 0)[0]);
        return copies;
    }

    void factor_gradients(const sluice_launch& launch, const Element* x, const Element* gradient) const {
        auto* const sums = reinterpret_cast<double*>(at(launch, sums_));
        const Summed which = is_prelu_ ? Summed::not_positive : Summed::all;
        sdk::parallel_for(launch.threads, pieces_, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t piece = begin; piece < end; ++piece) {
                const std::int64_t first = piece * rows_ / pieces_;
                const RowShape shape{(piece + 1) * rows_ / pieces_ - first, width_};
                std::fill_n(sums + piece * width_, width_, 0.0);
                add_factor_sums(sums + piece * width_, x + first * width_, gradient + first * width_, shape, which,
                                at(launch, scratch_) + piece * width_);
            }
        });
        float* const to = sdk::parameter_gradient(launch, 0);
        const std::int64_t factors = is_shared_ ? 1 : width_;
        for (std::int64_t factor = 0; factor < factors; ++factor) {
            double sum = launch.accumulate_parameters != 0 ? to[factor] : 0.0;
            for (std::int64_t i = factor; i < pieces_ * width_; i += factors) {
                sum += sums[i];
            }
            to[factor] = static_cast<float>(sum);
        }
    }

    std::int64_t rows_ = 1;
    std::int64_t width_ = 1;
    std::int64_t pieces_ = 1;
    bool is_prelu_ = false;
    bool is_shared_ = false;  // one factor for all channels
    bool accumulates_ = false;
    Layout layout_;
    std::uint64_t factors_ = 0;
    std::uint64_t sums_ = 0;
    std::uint64_t scratch_ = 0;
};

}  // namespace

KernelPtr make_channel_factors(const PlanContext& context) { return make_typed<ChannelFactors>(context); }

}  // namespace sluice::onednn
