#include "run/replica/parameter_update.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace sluice::run {

namespace {

// A part of the update reads parameters, gradients and states, and writes all but the gradients.
profile::Operations describe_update(const registry::Optimizer& optimizer, const Weights& weights) {
    std::uint64_t elements = 0;
    for (const OwnPart& own : weights.states().own_parts()) {
        elements += own.range.count();
    }
    const std::size_t passes = 3 + 2 * optimizer.states().size();
    const std::string& name = optimizer.object().component().manifest->provides;
    return std::make_shared<const std::vector<profile::Operation>>(
        1, profile::Operation{.path = "optimizer",
                              .type = name,
                              .shape = fmt::format("{}", elements),
                              .kernel = name,
                              .bytes = static_cast<double>(passes * elements * sizeof(float)),
                              .kind = SLUICE_SPAN_OPTIMIZER,
                              .dtype = kFloat32});
}

}  // namespace

ParameterUpdate::ParameterUpdate(const Dependencies& dependencies)
    : dependencies_(dependencies), operation_(describe_update(dependencies.optimizer, dependencies.weights)) {
    if (is_shared()) {
        gather_.emplace(dependencies_.exchange->collectives(), dependencies_.weights.buckets());
    }
}

void ParameterUpdate::begin() const {
    if (is_shared()) {
        dependencies_.exchange->collectives().expect_whole();
    }
}

void ParameterUpdate::restart() {
    if (gather_) {
        gather_->restart();
    }
}

void ParameterUpdate::decide() const {
    const bool of_slices = scatters() && dependencies_.state.wants_norm();
    if (of_slices) {
        zero_others_gradients();
    }
    dependencies_.state.sum_squares(dependencies_.weights.gradients());
    if (of_slices) {
        dependencies_.exchange->collectives().sum(&dependencies_.state.report()->square_sum, 1,
                                                  "norm of the gradients");
    }
    dependencies_.state.decide();
}

void ParameterUpdate::zero_others_gradients() const {
    const plan::Buckets& buckets = dependencies_.weights.buckets();
    for (const plan::Range& bucket : buckets.all()) {
        const plan::Range own = buckets.own(bucket);
        zero({bucket.begin, own.begin});
        zero({own.end, bucket.end});
    }
}

void ParameterUpdate::zero(const plan::Range& gradients) const {
    if (gradients.count() > 0) {
        dependencies_.device.zero(dependencies_.weights.gradients() + gradients.begin,
                                  gradients.count() * sizeof(float), dependencies_.stream);
    }
}

void ParameterUpdate::make() {
    for (const OwnPart& own : dependencies_.weights.states().own_parts()) {
        const bool records = dependencies_.spans.begin(operation_);
        dependencies_.optimizer.update({.struct_size = sizeof(sluice_optimizer_launch),
                                        .parameters = dependencies_.weights.parameters() + own.range.begin,
                                        .gradients = dependencies_.weights.gradients() + own.range.begin,
                                        .states = own.states.data(),
                                        .count = own.range.count(),
                                        .scalars = dependencies_.state.scalars(),
                                        .threads = dependencies_.threads,
                                        .stream = dependencies_.stream});
        if (records) {
            dependencies_.spans.end(operation_->front());
        }
        if (gather_) {
            gather_->start_next(dependencies_.weights.parameters(), "parameters");
        }
    }
    if (gather_) {
        gather_->finish();
    }
}

void ParameterUpdate::gather_gradients() {
    if (scatters()) {
        gather_->gather(dependencies_.weights.gradients(), "gradients");
    }
}

void ParameterUpdate::gather_states(FullOptimizerStates* to, double timeout) {
    const Weights& weights = dependencies_.weights;
    float* const whole = weights.gradients();  // used as scratch memory: not needed between steps
    dependencies_.exchange->collectives().set_timeout(timeout);
    for (std::size_t state = 0; state < weights.states().names().size(); ++state) {
        for (const OwnPart& own : weights.states().own_parts()) {
            dependencies_.device.copy(whole + own.range.begin, own.states[state], own.range.count() * sizeof(float),
                                      dependencies_.stream);
            gather_->start_next(whole, "optimizer/" + weights.states().names()[state]);
        }
        gather_->finish();
        if (to != nullptr) {
            dependencies_.device.copy(to->values(state).data(), whole, weights.count() * sizeof(float),
                                      dependencies_.stream);
        }
        dependencies_.device.wait(dependencies_.stream);
    }
    zero({0, weights.count()});
}

}  // namespace sluice::run
