#include "run/replica/micro_batch_gradients.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "plan/memory_need.hpp"
#include "profile/stage_clock.hpp"
#include "run/collective/vote.hpp"

namespace sluice::run {

MicroBatchGradients::MicroBatchGradients(const config::PipelineSpec& spec, NetworkRunner& runner, StepState& state,
                                         const StepRollback& rollback, ReplayableBatches* replayable,
                                         Exchange* exchange)
    : runner_(runner),
      state_(state),
      rollback_(rollback),
      replayable_(replayable),
      exchange_(exchange),
      batches_per_step_(static_cast<std::uint64_t>(spec.train.accumulate)),
      single_values_(runner.device(), runner.stream(), runner.network().weights(), runner.network().plan().graph) {
    const plan::Plan& plan = runner_.network().plan();
    if (exchange_ != nullptr && plan::joins_replicas(plan.graph) != nullptr) {
        gradients_before_.emplace(runner_.device(), runner_.stream(), runner_.network().weights(),
                                  plan::keeps_gradients(plan, spec, true));
    }
}

// Sends the start of a micro-batch to the device and returns it.
sluice_step_start MicroBatchGradients::start(const StepBatch& batch_in_step, std::int64_t number) {
    constexpr int kBatchBits = 40;  // bits of a random counter that count batches; higher bits count micro-batches
    const std::uint64_t batches_before = (batch_in_step.step - 1) * batches_per_step_ + batch_in_step.number;
    sluice_step_start start{.loss_seed = 1.0 / loss_elements_,
                            .random_counter = (static_cast<std::uint64_t>(number) << kBatchBits) + batches_before + 1,
                            .first_update = batch_in_step.rates.first_update,
                            .rates = {},
                            .reserved = {}};
    std::ranges::copy(batch_in_step.rates.values, std::begin(start.rates));
    state_.write_start(start, batch_in_step.status);
    return start;
}

bool MicroBatchGradients::compute(Program& program, const data::Batch& micro_batch, const StepBatch& batch_in_step,
                                  const Place& place) {
    profile::enter_stage(profile::Stage::upload);
    runner_.clock().begin_micro_batch(place.is_first);
    const std::uint64_t queue_number = runner_.feed(micro_batch);
    const sluice_step_start start = this->start(batch_in_step, place.number);
    if (replayable_ != nullptr) {
        replayable_->add({batch_in_step.step, queue_number, program.weak_from_this(), start});
    }
    if (program.first_step == 0) {
        program.first_step = batch_in_step.step;
    }
    profile::enter_stage(profile::Stage::forward);
    runner_.round_parameters(false);
    runner_.replica_sums().set(!batch_in_step.is_common ? ReplicaSums::Share::alone
                               : place.has_no_samples   ? ReplicaSums::Share::nothing
                                                        : ReplicaSums::Share::equal);
    single_values_.keep_over(micro_batch.count == 1, place.is_of_one, [&] { run(program, batch_in_step, place); });
    return own_loss_is_finite_;
}

// Work that contains collectives is captured by all replicas or by none.
void MicroBatchGradients::run(Program& program, const StepBatch& batch_in_step, const Place& place) {
    const bool is_first_step = program.first_step == batch_in_step.step;
    if (!place.may_be_captured) {
        set_waits_for_each(is_first_step);
        run_once(program, place);
        return;
    }
    // The graph of a micro-batch that exchanges must not depend on the number of micro-batches, which may differ
    // between replicas.
    const bool is_first = place.exchanges ? batch_in_step.number == 0 : place.is_first;
    CapturedGraph& captured = batch_in_step.is_common ? program.common_graphs[is_first ? 1 : 0][place.exchanges ? 1 : 0]
                                                      : program.alone[is_first ? 1 : 0];
    set_waits_for_each(is_first_step && !captured.has_begun());
    run_captured(captured,
                 batch_in_step.is_common && (place.exchanges || gradients_before_) ? &exchange_->vote() : nullptr,
                 [&] { run_once(program, place); });
}

void MicroBatchGradients::set_waits_for_each(bool waits) const {
    if (exchange_ != nullptr) {
        exchange_->collectives().set_waits_for_each(waits);
    }
}

void MicroBatchGradients::run_once(const Program& program, const Place& place) {
    runner_.clock().mark(DeviceClock::Mark::fed);
    if (exchange_ != nullptr) {
        exchange_->restart();
    }
    if (place.is_first) {
        rollback_.take();
    }
    const std::uint32_t version = runner_.network().weights().version();
    sluice_step_report* const report = state_.report();
    state_.begin();
    program.executor->forward(version);
    const plan::TensorId loss = program.plan.graph.loss;
    const auto losses = static_cast<std::uint64_t>(element_count(program.plan.graph.tensors[loss].spec)) / 2;
    state_.calls().add_loss(reinterpret_cast<const float*>(program.executor->tensor(loss)),
                            place.has_no_samples ? 0 : losses, place.is_first, report);
    own_loss_is_finite_ = !runner_.device()->is_host_memory() || std::isfinite(report->loss_sum);
    if (place.has_no_samples) {
        gradients_before_->take(place.is_first);
    }
    runner_.clock().mark(DeviceClock::Mark::forward);
    profile::enter_stage(profile::Stage::backward);
    const auto filled = [&](std::uint64_t elements) {
        if (place.has_no_samples) {
            gradients_before_->put_back(elements);
        }
        if (place.exchanges) {
            exchange_->gradients_filled(elements);
            runner_.spans().skip();
        }
    };
    program.executor->backward(version, !place.is_first, std::ref(filled));  // std::function would allocate a copy
    runner_.clock().mark(DeviceClock::Mark::backward);
    if (place.exchanges) {
        exchange_->finish();
        runner_.clock().mark(DeviceClock::Mark::exchanged);
    }
}

void MicroBatchGradients::skip(const StepBatch& batch_in_step, const Place& place) {
    runner_.clock().begin_micro_batch(place.is_first);
    start(batch_in_step, place.number);
    state_.begin();
    if (place.is_first) {
        Weights& weights = runner_.network().weights();
        runner_.device()->zero(weights.gradients(), weights.count() * sizeof(float), runner_.stream());
        state_.calls().add_loss(nullptr, 0, true, state_.report());
        rollback_.take();
    }
    if (place.exchanges) {
        exchange_->finish();
        runner_.clock().mark(DeviceClock::Mark::exchanged);
    }
}

}  // namespace sluice::run
