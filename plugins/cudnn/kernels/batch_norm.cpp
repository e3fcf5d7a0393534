// batch_norm and what follows it in a chain. In training two passes forward, of one reading and of one reading and one
// writing of the activations, and two backward; in evaluation one. See norms/passes.hpp.
#include "conv/layout.hpp"
#include "kernels/chain.hpp"
#include "kernels/node_kernel.hpp"
#include "norms/batch_totals.hpp"
#include "norms/passes.hpp"

namespace sluice::cudnn {
namespace {

constexpr std::int64_t kRowsSummed = 4;  // wide rows that a thread adds up, at least

template <class T>
class BatchNorm : public sdk::Kernel {
public:
    BatchNorm(const sdk::Node& node, const PlanContext& context)
        : layers_(*read_cuts(context.chain, 1)),
          // The sign of a relu behind the normalisation is made again from x; other cuts leave bits.
          has_bits_(layers_.trains && (layers_.rate > 0.0 || (layers_.relu && layers_.join == Join::before_cuts))),
          epsilon_(node.options().number("epsilon")),
          momentum_(node.options().number("momentum")) {
        const sluice_tensor_spec& x = node.inputs()[0];
        const std::int64_t channels = x.shape[x.rank - 1];
        const std::int64_t rows = sdk::element_count(x) / channels;
        sum_tiles_ = make_tiles(1, rows, channels, kRowsSummed);
        map_tiles_ = make_tiles(1, rows, channels, 1);
        channels_ = static_cast<std::size_t>(channels);
        sums_ = layout_.take(layers_.trains ? sum_tiles_.sums_bytes() : 0);
        tables_ = layout_.take(2 * channels_ * sizeof(float));
        context.sink.workspace(layout_.size());
        if (layers_.trains) {
            context.sink.saved(4 * channels_ * sizeof(float));  // BatchTables
            if (has_bits_) {
                context.sink.saved(bit_bytes(sdk::element_count(x)));
            }
            context.sink.backward_reads_input(0);
        }
        layers_.share_memory(context.sink);
        context.sink.note(note_of(context.chain));
    }

    void forward(const sluice_launch& launch) override {
        const BatchTables tables = tables_of(launch);
        const BatchNumbers numbers{.gamma = sdk::parameter(launch, 0),
                                   .beta = sdk::parameter(launch, 1),
                                   .running_mean = sdk::state(launch, 0),
                                   .running_variance = sdk::state(launch, 1),
                                   .epsilon = epsilon_,
                                   .momentum = momentum_};
        const T* const x = sdk::input<T>(launch, 0);
        if (layers_.trains) {
            float* const moments = numbers_at(launch, sums_);
            launch_statistics(launch.stream, sum_tiles_, x, moments);
            launch_batch_tables(launch.stream, sum_tiles_, moments, numbers, tables);
        } else {
            launch_running_tables(launch.stream, map_tiles_, numbers, tables);
        }
        launch_forward<T>(launch.stream, map_tiles_,
                          {.x = x,
                           .outside = layers_.joins() ? sdk::input<T>(launch, layers_.outside) : nullptr,
                           .y = sdk::output<T>(launch, 0),
                           .bits = bits(launch),
                           .factor = tables.factor,
                           .shift = tables.shift},
                          layers_.cuts(launch));
    }

    void backward(const sluice_launch& launch) override {
        const BatchTables tables = tables_of(launch);
        const bool remakes = layers_.relu && !has_bits_;
        const NormBackward<T> tensors{.x = sdk::input<T>(launch, 0),
                                      .gradient = sdk::output_gradient<T>(launch, 0),
                                      .bits = bits(launch),
                                      .kept_factor = layers_.cuts(launch).factor,
                                      .factor = tables.factor,
                                      .relu_shift = remakes ? tables.shift : nullptr};
        float* const sums = numbers_at(launch, sums_);
        launch_sums<T>(launch.stream, sum_tiles_, tensors, outside_gradient(launch), tables.mean, sums);

        T* const to = sdk::input_gradient<T>(launch, layers_.first);
        float* const slope = to != nullptr ? numbers_at(launch, tables_) : nullptr;
        float* const offset = to != nullptr ? slope + channels_ : nullptr;
        launch_batch_gradients(launch.stream, sum_tiles_, sums, tables,
                               {.gamma = sdk::parameter_gradient(launch, 0),
                                .beta = sdk::parameter_gradient(launch, 1),
                                .adds = launch.accumulate_parameters != 0,
                                .slope = slope,
                                .offset = offset});
        if (to != nullptr) {
            launch_gradient<T>(launch.stream, map_tiles_, tensors,
                               {.to = to, .adds = layers_.adds_first, .slope = slope, .offset = offset});
        }
    }

private:
    [[nodiscard]] static float* numbers_at(const sluice_launch& launch, std::uint64_t place) {
        return static_cast<float*>(at(launch.workspace, place));
    }
    // In training they are saved; in evaluation there are factor and shift only.
    [[nodiscard]] BatchTables tables_of(const sluice_launch& launch) const {
        if (!layers_.trains) {
            float* const memory = numbers_at(launch, tables_);
            return {.factor = memory, .shift = memory + channels_, .mean = nullptr, .inverse = nullptr};
        }
        auto* const memory = sdk::saved<float>(launch, 0);
        return {.factor = memory,
                .shift = memory + channels_,
                .mean = memory + 2 * channels_,
                .inverse = memory + 3 * channels_};
    }

    [[nodiscard]] std::uint8_t* bits(const sluice_launch& launch) const {
        return has_bits_ ? sdk::saved<std::uint8_t>(launch, 1) : nullptr;
    }

    [[nodiscard]] OutsideGradient<T> outside_gradient(const sluice_launch& launch) const {
        return {.to = layers_.joins() ? sdk::input_gradient<T>(launch, layers_.outside) : nullptr,
                .is_cut = layers_.join == Join::before_cuts,
                .adds = layers_.adds_outside};
    }

    CutLayers layers_;
    bool has_bits_;
    double epsilon_;
    double momentum_;
    std::size_t channels_ = 0;
    Tiles sum_tiles_{};
    Tiles map_tiles_{};
    Layout layout_;
    std::uint64_t sums_ = 0;
    std::uint64_t tables_ = 0;  // forward: factor, shift of evaluation; backward: slope, offset
};

}  // namespace

bool is_norm_chain(const sdk::Chain& chain) {
    return chain[0].type() == "batch_norm" && read_cuts(chain, 1).has_value();
}

KernelPtr make_batch_norm(const PlanContext& context) { return make_typed<BatchNorm>(context.node(), context); }

}  // namespace sluice::cudnn
