#include "conv/convolution.hpp"

#include <algorithm>

#include "conv/bias.hpp"
#include "conv/fold.hpp"

namespace sluice::cudnn {
namespace {

sluice_dtype stored(cudnnDataType_t type) { return type == CUDNN_DATA_HALF ? sdk::kFloat16 : sdk::kBfloat16; }

}  // namespace

Convolution::Convolution(const PlanContext& context, const ConvUse& use)
    : planner_(context.planner),
      sink_(context.sink),
      deterministic_(context.chain[use.node].deterministic()),
      trains_(context.chain[use.node].trains()),
      adds_gradient_(context.chain[use.input].accumulates_gradient(0)),
      bias_(context.chain[use.node].parameters().size() > 1 && !use.before_norm),
      folds_(folds_batch_norm(context.chain, use.node)),
      relu_(folds_ && context.chain.size() > use.node + 2),
      epsilon_(folds_ ? context.chain[use.node + 1].options().number("epsilon") : 0.0),
      note_(folds_ ? "batch_norm folded in" : "") {}

std::unique_ptr<ConvPass> Convolution::plan(const ConvProblem& problem) {
    auto pass = find(problem);
    take(*pass, problem.direction);
    return pass;
}

std::unique_ptr<ConvPass> Convolution::find(const ConvProblem& problem, bool timed) {
    return planner_.plan(problem, sink_, deterministic_, timed);
}

std::unique_ptr<ConvPass> Convolution::find_if_computed(const ConvProblem& problem, bool timed) {
    try {
        return find(problem, timed);
    } catch (const sdk::Failure& failure) {
        if (failure.status() == SLUICE_NO_MEMORY) {
            throw;
        }
        return nullptr;
    }
}

void Convolution::take(const ConvPass& pass, Direction direction) {
    scratch_bytes_ = std::max(scratch_bytes_, pass.workspace());
    if (pass.reads_bias_in_graph()) {
        rounded_bias_ =
            layout_.take(static_cast<std::uint64_t>(pass.problem().filters) * size_of(pass.problem().image));
    }
    add_note(std::string(name_of(direction)) + ' ' + pass.note());
    flops_[static_cast<std::size_t>(direction)] = pass.done_flops();
}

void Convolution::add_note(const std::string& text) { note_ += (note_.empty() ? "" : ", ") + text; }

void Convolution::run(const ConvPass& pass, const sluice_launch& launch, const ConvMemory& memory) const {
    ConvMemory all = memory;
    if (pass.reads_bias_in_graph()) {
        all.bias_in_graph = bias_in_graph(launch, pass, memory.bias);
    }
    pass.run(planner_.handle(), launch.stream, all, at(launch.workspace, scratch_));
}

const void* Convolution::bias_in_graph(const sluice_launch& launch, const ConvPass& pass, const float* bias) const {
    const ConvProblem& problem = pass.problem();
    if (problem.image == CUDNN_DATA_FLOAT) {
        return bias;
    }
    if (!folds_ && launch.rounded_parameters != nullptr && launch.rounded_parameters[1] != nullptr) {
        return launch.rounded_parameters[1];
    }
    void* const rounded = at(launch.workspace, rounded_bias_);
    round_weights(launch.stream, problem.image, problem.filters, bias, rounded);
    return rounded;
}

void Convolution::place_weights(cudnnDataType_t type, const WeightShape& shape, bool swapped) {
    type_ = type;
    shape_ = shape;
    swapped_ = swapped;
    const std::uint64_t bytes = static_cast<std::uint64_t>(shape.count()) * size_of(type);
    if (rounds() || swapped || folds_) {
        weights_ = layout_.take(bytes);
    }
    place_fold(shape);
    if (trains_) {
        gradient_ = layout_.take(bytes);
    }
    if (rounds() && trains_) {
        sink_.reads_rounded_parameters(stored(type));
    }
}

void Convolution::place_kernels(const WeightShape& shape) {
    shape_ = shape;
    if (folds_) {
        weights_ = layout_.take(static_cast<std::uint64_t>(shape.count()) * sizeof(float));
    }
    place_fold(shape);
}

void Convolution::place_fold(const WeightShape& shape) {
    if (folds_) {
        folded_bias_ = layout_.take(static_cast<std::uint64_t>(shape.filters) * sizeof(float));
    }
}

void* Convolution::fold(const sluice_launch& launch, cudnnDataType_t type) const {
    void* const folded = at(launch.workspace, weights_);
    fold_batch_norm(launch.stream, type, shape_, fold_numbers(launch, bias_, epsilon_), sdk::parameter(launch, 0),
                    folded, static_cast<float*>(at(launch.workspace, folded_bias_)));
    return folded;
}

const float* Convolution::kernels(const sluice_launch& launch) const {
    return folds_ ? static_cast<const float*>(fold(launch, CUDNN_DATA_FLOAT)) : sdk::parameter(launch, 0);
}

const void* Convolution::weights(const sluice_launch& launch) const {
    if (folds_) {
        return fold(launch, type_);
    }
    const void* given = sdk::parameter(launch, 0);
    cudnnDataType_t type = CUDNN_DATA_FLOAT;
    if (rounds() && launch.rounded_parameters != nullptr && launch.rounded_parameters[0] != nullptr) {
        given = launch.rounded_parameters[0];
        type = type_;
    }
    if (!swapped_ && type == type_) {
        return given;
    }
    void* const made = at(launch.workspace, weights_);
    if (swapped_) {
        swap_weights(launch.stream, type, type_, shape_, given, made);
    } else {
        round_weights(launch.stream, type_, shape_.count(), static_cast<const float*>(given), made);
    }
    return made;
}

void* Convolution::gradient_target(const sluice_launch& launch) const {
    return writes_in_place(launch) ? sdk::parameter_gradient(launch, 0) : at(launch.workspace, gradient_);
}

void Convolution::finish_gradient(const sluice_launch& launch) const {
    const bool add = launch.accumulate_parameters != 0;
    if (swapped_) {
        const WeightShape written{.filters = shape_.channels, .taps = shape_.taps, .channels = shape_.filters};
        swap_gradient(launch.stream, type_, written, gradient_target(launch), sdk::parameter_gradient(launch, 0), add);
    } else if (!writes_in_place(launch)) {
        widen_weights(launch.stream, type_, shape_.count(), gradient_target(launch), sdk::parameter_gradient(launch, 0),
                      add);
    }
}

void Convolution::place_bias_gradient(cudnnDataType_t type, std::int64_t rows, std::int64_t channels) {
    if (trains_ && bias_) {
        bias_type_ = type;
        bias_rows_ = rows;
        bias_channels_ = channels;
        bias_sums_ = layout_.take(bias_gradient_bytes(rows, channels));
    }
}

void Convolution::write_bias_gradient(const sluice_launch& launch, const void* dy) const {
    if (bias_ && sdk::parameter_gradient(launch, 1) != nullptr) {
        bias_gradient(launch.stream, bias_type_, dy, bias_rows_, bias_channels_, sdk::parameter_gradient(launch, 1),
                      launch.accumulate_parameters != 0, at(launch.workspace, bias_sums_));
    }
}

void Convolution::save(std::uint64_t bytes) {
    sink_.saved(bytes);
    ++saved_blocks_;
}

}  // namespace sluice::cudnn
