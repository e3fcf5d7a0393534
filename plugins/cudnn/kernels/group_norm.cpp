// group_norm, and instance_norm, which has one group for each channel. They run the passes of batch_norm
// (norms/passes.hpp) with statistics of each sample's groups.
#include "conv/layout.hpp"
#include "kernels/node_kernel.hpp"
#include "norms/group_totals.hpp"
#include "norms/passes.hpp"

namespace sluice::cudnn {
namespace {

template <class T>
class GroupNorm : public NodeKernel {
public:
    GroupNorm(const sdk::Node& node, const sdk::KernelSink& sink)
        : NodeKernel(node),
          affine_(!node.parameters().empty()),
          trains_(node.trains()),
          epsilon_(node.options().number("epsilon")) {
        const sluice_tensor_spec& x = node.inputs()[0];
        const std::int64_t samples = x.shape[0];
        const std::int64_t channels = x.shape[x.rank - 1];
        const std::int64_t rows = sdk::element_count(x) / (samples * channels);
        groups_ = static_cast<std::uint32_t>(node.type() == "group_norm" ? node.options().integer("groups") : channels);
        tiles_ = norm_tiles<T>({.samples = samples, .rows = rows, .channels = channels}, trains_, false);
        const std::uint64_t table = static_cast<std::uint64_t>(samples * channels) * sizeof(float);
        sums_ = layout_.take(tiles_.sums_bytes());
        for (std::uint64_t& place : tables_) {
            place = layout_.take(table);
        }
        if (trains_) {
            sink.saved(table);  // mean
            sink.saved(table);  // 1 / deviation
            sink.backward_reads_input(0);
        } else {
            statistics_[0] = layout_.take(table);
            statistics_[1] = layout_.take(table);
        }
        sink.workspace(layout_.size());
        sink.may_overwrite(0, 0);
        sink.may_overwrite_gradient(0, 0);
        sink.note("own passes");
    }

    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        float* const moments = numbers_at(launch, sums_);
        const GroupTables tables{.mean = statistic(launch, 0),
                                 .inverse = statistic(launch, 1),
                                 .factor = numbers_at(launch, tables_[0]),
                                 .shift = numbers_at(launch, tables_[1])};
        launch_statistics(launch.stream, tiles_.statistics, x, moments);
        launch_group_tables(launch.stream, tiles_.statistics, moments, numbers(launch), tables);
        launch_forward<T>(launch.stream, tiles_.forward,
                          {.x = x,
                           .outside = nullptr,
                           .y = sdk::output<T>(launch, 0),
                           .bits = nullptr,
                           .factor = tables.factor,
                           .shift = tables.shift},
                          ChainMasks());
    }

    void backward(const sluice_launch& launch) override {
        const GroupGradients tables{.mean = statistic(launch, 0),
                                    .inverse = statistic(launch, 1),
                                    .factor = numbers_at(launch, tables_[0]),
                                    .slope = numbers_at(launch, tables_[1]),
                                    .offset = numbers_at(launch, tables_[2])};
        const NormBackward<T> tensors{.x = sdk::input<T>(launch, 0),
                                      .gradient = sdk::output_gradient<T>(launch, 0),
                                      .bits = nullptr,
                                      .kept_factor = 1.0F,
                                      .factor = tables.factor,
                                      .relu_shift = nullptr};
        float* const sums = numbers_at(launch, sums_);
        launch_sums<T>(launch.stream, tiles_.sums, tensors, {}, tables.mean, sums);
        if (affine_) {
            launch_parameter_gradients(launch.stream, tiles_.sums, sums,
                                       {.inverse = tables.inverse,
                                        .gamma = sdk::parameter_gradient(launch, 0),
                                        .beta = sdk::parameter_gradient(launch, 1),
                                        .adds = launch.accumulate_parameters != 0});
        }
        if (T* const to = sdk::input_gradient<T>(launch, 0)) {
            launch_group_gradients(launch.stream, tiles_.sums, sums, numbers(launch), tables);
            launch_gradient<T>(launch.stream, tiles_.gradient, tensors,
                               {.to = to, .adds = adds_gradient(0), .slope = tables.slope, .offset = tables.offset});
        }
    }

private:
    [[nodiscard]] static float* numbers_at(const sluice_launch& launch, std::uint64_t place) {
        return static_cast<float*>(at(launch.workspace, place));
    }
    // which = 0: mean; which = 1: 1 / deviation. Both are [samples, channels].
    [[nodiscard]] float* statistic(const sluice_launch& launch, std::size_t which) const {
        return trains_ ? sdk::saved<float>(launch, which) : numbers_at(launch, statistics_[which]);
    }
    [[nodiscard]] GroupNumbers numbers(const sluice_launch& launch) const {
        return {.groups = groups_,
                .gamma = affine_ ? sdk::parameter(launch, 0) : nullptr,
                .beta = affine_ ? sdk::parameter(launch, 1) : nullptr,
                .epsilon = epsilon_};
    }

    bool affine_;
    bool trains_;
    double epsilon_;
    std::uint32_t groups_ = 1;
    NormTiles tiles_;
    Layout layout_;
    std::uint64_t sums_ = 0;
    std::uint64_t tables_[3] = {};
    std::uint64_t statistics_[2] = {};  // offsets in the workspace, outside training
};

}  // namespace

KernelPtr make_group_norm(const PlanContext& context) { return make_typed<GroupNorm>(context.node(), context.sink); }
KernelPtr make_instance_norm(const PlanContext& context) { return make_typed<GroupNorm>(context.node(), context.sink); }

}  // namespace sluice::cudnn
