#include "run/replica/parameter_update.hpp"

namespace sluice::run {

ParameterUpdate::ParameterUpdate(const Loan& loan) : loan_(loan) {
    if (is_shared()) {
        gather_.emplace(loan_.exchange->collectives(), loan_.weights.buckets());
    }
}

void ParameterUpdate::begin() const {
    if (is_shared()) {
        loan_.exchange->collectives().expect_whole();
    }
}

void ParameterUpdate::restart() {
    if (gather_) {
        gather_->restart();
    }
}

void ParameterUpdate::decide() const {
    const bool of_slices = scatters() && loan_.state.wants_norm();
    if (of_slices) {
        zero_others_gradients();
    }
    loan_.state.sum_squares(loan_.weights.gradients());
    if (of_slices) {
        loan_.exchange->collectives().sum(&loan_.state.report()->square_sum, 1, "norm of the gradients");
    }
    loan_.state.decide();
}

void ParameterUpdate::zero_others_gradients() const {
    const plan::Buckets& buckets = loan_.weights.buckets();
    for (const plan::Range& bucket : buckets.all()) {
        const plan::Range own = buckets.own(bucket);
        zero({bucket.begin, own.begin});
        zero({own.end, bucket.end});
    }
}

void ParameterUpdate::zero(const plan::Range& gradients) const {
    if (gradients.count() > 0) {
        loan_.device.zero(loan_.weights.gradients() + gradients.begin, gradients.count() * sizeof(float), loan_.stream);
    }
}

void ParameterUpdate::make() {
    for (const OwnPart& own : loan_.weights.states().own_parts()) {
        loan_.optimizer.update({.struct_size = sizeof(sluice_optimizer_launch),
                                .parameters = loan_.weights.parameters() + own.range.begin,
                                .gradients = loan_.weights.gradients() + own.range.begin,
                                .states = own.states.data(),
                                .count = own.range.count(),
                                .scalars = loan_.state.scalars(),
                                .threads = loan_.threads,
                                .stream = loan_.stream});
        if (gather_) {
            gather_->start_next(loan_.weights.parameters(), "parameters");
        }
    }
    if (gather_) {
        gather_->finish();
    }
}

void ParameterUpdate::gather_gradients() {
    if (scatters()) {
        gather_->gather(loan_.weights.gradients(), "gradients");
    }
}

void ParameterUpdate::gather_states(FullOptimizerStates* to, double timeout) {
    const Weights& weights = loan_.weights;
    float* const whole = weights.gradients();  // used as scratch memory: not needed between steps
    loan_.exchange->collectives().wait_for(timeout);
    for (std::size_t state = 0; state < weights.states().names().size(); ++state) {
        for (const OwnPart& own : weights.states().own_parts()) {
            loan_.device.copy(whole + own.range.begin, own.states[state], own.range.count() * sizeof(float),
                              loan_.stream);
            gather_->start_next(whole, "optimizer/" + weights.states().names()[state]);
        }
        gather_->finish();
        if (to != nullptr) {
            loan_.device.copy(to->values(state).data(), whole, weights.count() * sizeof(float), loan_.stream);
        }
        loan_.device.wait(loan_.stream);
    }
    zero({0, weights.count()});
}

}  // namespace sluice::run
