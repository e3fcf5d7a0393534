// batch_norm and the masks after it, as a part of a kernel: its passes (norms/passes.hpp), the blocks that they save
// and the workspace that they need.
#pragma once

#include <span>
#include <string>

#include "conv/layout.hpp"
#include "kernels/chain.hpp"
#include "norms/batch_totals.hpp"
#include "norms/passes.hpp"

namespace sluice::cudnn {

// T: type of the activations. The stage's parameters, states and saved blocks come first in a launch. The input that is
// added has the index MaskLayers::outside.
template <class T>
class NormStage {
public:
    // The gradient of x. `to` is NULL if it is not needed.
    struct Gradient {
        T* to;
        bool adds;              // to the existing values
        float* bias = nullptr;  // the gradient of the bias that was skipped; NULL: not needed
    };
    // The convolution that computes x leaves this to the stage.
    struct ConvolutionResult {
        const float* sums = nullptr;  // [2, channels]: sums of x over its rows, and of its squares; NULL: not known
        const float* bias = nullptr;  // the bias that it skipped; NULL: none
    };

    NormStage(const sdk::Node& norm, const MaskLayers& layers, Layout& layout, const sdk::KernelSink& sink)
        : layers_(layers),
          // Backward recomputes the sign of a relu right after the normalisation from x. Other masks save bits.
          has_bits_(layers.trains && (layers.rate > 0.0 || (layers.relu && layers.join == Join::before_masks))),
          epsilon_(norm.options().number("epsilon")),
          momentum_(norm.options().number("momentum")),
          joint_name_(layers.trains && norm.options().boolean("synchronized")
                          ? "statistics of " + std::string(norm.path())
                          : "") {
        const sluice_tensor_spec& x = norm.inputs()[0];
        const std::int64_t channels = x.shape[x.rank - 1];
        const std::int64_t rows = sdk::element_count(x) / channels;
        tiles_ = norm_tiles<T>({.samples = 1, .rows = rows, .channels = channels}, layers.trains, recomputes_sign());
        channels_ = static_cast<std::size_t>(channels);
        sums_ = layout.take(layers.trains ? tiles_.sums_bytes() : 0);
        tables_ = layout.take(2 * channels_ * sizeof(float));
        joint_ = layout.take(is_joint() ? joint_count(channels_) * sizeof(double) : 0);
        if (layers.trains) {
            sink.saved(4 * channels_ * sizeof(float));  // BatchTables
            if (has_bits_) {
                sink.saved(bit_bytes(sdk::element_count(x)));
            }
        }
    }

    // The number of saved blocks that the stage has requested from the sink. All others come after them.
    [[nodiscard]] std::size_t saved_blocks() const { return layers_.trains ? (has_bits_ ? 2 : 1) : 0; }

    template <class Image = Dense>
    void forward(const sluice_launch& launch, const T* x, T* y, const Image& image = Image(),
                 const ConvolutionResult& convolved = {}) const {
        const BatchTables tables = tables_of(launch);
        write_tables(launch, x, convolved, tables);
        launch_forward<T>(launch.stream, tiles_.forward,
                          {.x = x,
                           .outside = layers_.joins() ? sdk::input<T>(launch, layers_.outside) : nullptr,
                           .y = y,
                           .bits = bits(launch),
                           .factor = tables.factor,
                           .shift = tables.shift},
                          layers_.masks(launch), image);
    }

    // gradient: of the output of the masks.
    template <class Image = Dense>
    void backward(const sluice_launch& launch, const T* x, const T* gradient, const Gradient& input,
                  const Image& image = Image()) const {
        const BatchTables tables = tables_of(launch);
        const NormBackward<T> tensors{.x = x,
                                      .gradient = gradient,
                                      .bits = bits(launch),
                                      .kept_factor = layers_.masks(launch).factor,
                                      .factor = tables.factor,
                                      .relu_shift = recomputes_sign() ? tables.shift : nullptr};
        float* const sums = numbers_at(launch, sums_);
        launch_sums<T>(launch.stream, tiles_.sums, tensors, outside_gradient(launch), tables.mean, sums, image);

        float* const by_x = input.to != nullptr ? numbers_at(launch, tables_) : nullptr;
        const InputTables by{.slope = by_x, .offset = by_x != nullptr ? by_x + channels_ : nullptr};
        const bool joins = is_joint() && by_x != nullptr;
        launch_batch_gradients(launch.stream, tiles_.sums, sums, tables,
                               {.gamma = sdk::parameter_gradient(launch, 0),
                                .beta = sdk::parameter_gradient(launch, 1),
                                .adds = launch.accumulate_parameters != 0,
                                .input = by,
                                .bias = input.bias,
                                .joint = joins ? joint(launch).data() : nullptr});
        if (joins) {
            sdk::sum_over_replicas(launch, joint(launch), joint_name_);
            launch_input_tables(launch.stream, tiles_.sums, joint(launch).data(), tables, by);
        }
        if (by_x != nullptr) {
            launch_gradient<T>(launch.stream, tiles_.gradient, tensors,
                               {.to = input.to, .adds = input.adds, .slope = by.slope, .offset = by.offset}, image);
        }
    }

private:
    // True if backward recomputes the sign of a relu.
    [[nodiscard]] bool recomputes_sign() const { return layers_.relu && !has_bits_; }
    [[nodiscard]] static float* numbers_at(const sluice_launch& launch, std::uint64_t place) {
        return static_cast<float*>(at(launch.workspace, place));
    }
    // Training saves the tables. Evaluation has factor and shift only.
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

    void write_tables(const sluice_launch& launch, const T* x, const ConvolutionResult& convolved,
                      const BatchTables& tables) const {
        const BatchNumbers numbers{.gamma = sdk::parameter(launch, 0),
                                   .beta = sdk::parameter(launch, 1),
                                   .running_mean = sdk::state(launch, 0),
                                   .running_variance = sdk::state(launch, 1),
                                   .epsilon = epsilon_,
                                   .momentum = momentum_,
                                   .bias = convolved.bias};
        if (!layers_.trains) {
            launch_running_tables(launch.stream, tiles_.forward, numbers, tables);
            return;
        }
        if (is_joint()) {
            join_moments(launch, x, convolved.sums);
            launch_batch_tables_of_joint(launch.stream, tiles_.statistics, joint(launch).data(), numbers, tables);
        } else if (convolved.sums != nullptr) {
            launch_batch_tables_of_sums(launch.stream, tiles_.statistics, convolved.sums, numbers, tables);
        } else {
            launch_batch_tables(launch.stream, tiles_.statistics, moments_of(launch, x), numbers, tables);
        }
    }

    const float* moments_of(const sluice_launch& launch, const T* x) const {
        float* const moments = numbers_at(launch, sums_);
        launch_statistics(launch.stream, tiles_.statistics, x, moments);
        return moments;
    }

    [[nodiscard]] bool is_joint() const { return !joint_name_.empty(); }
    [[nodiscard]] std::span<double> joint(const sluice_launch& launch) const {
        return {static_cast<double*>(at(launch.workspace, joint_)), joint_count(channels_)};
    }

    // sums: of x, as in ConvolutionResult.
    void join_moments(const sluice_launch& launch, const T* x, const float* sums) const {
        if (sums != nullptr) {
            launch_joint_sums(launch.stream, tiles_.statistics, sums, joint(launch).data());
        } else {
            launch_joint_moments(launch.stream, tiles_.statistics, moments_of(launch, x), joint(launch).data());
        }
        sdk::sum_over_replicas(launch, joint(launch), joint_name_);
    }

    [[nodiscard]] std::uint8_t* bits(const sluice_launch& launch) const {
        return has_bits_ ? sdk::saved<std::uint8_t>(launch, 1) : nullptr;
    }

    [[nodiscard]] OutsideGradient<T> outside_gradient(const sluice_launch& launch) const {
        return {.to = layers_.joins() ? sdk::input_gradient<T>(launch, layers_.outside) : nullptr,
                .is_before_masks = layers_.join == Join::before_masks,
                .adds = layers_.adds_outside};
    }

    MaskLayers layers_;
    bool has_bits_;
    double epsilon_;
    double momentum_;
    std::string joint_name_;  // of the all-reduce; empty: only this replica's rows count
    std::size_t channels_ = 0;
    NormTiles tiles_;
    std::uint64_t sums_ = 0;    // offset in the workspace, as are the next two
    std::uint64_t tables_ = 0;  // evaluation: factor, shift; backward: slope, offset
    std::uint64_t joint_ = 0;   // the sums over all replicas, if the rows of all count
};

}  // namespace sluice::cudnn
