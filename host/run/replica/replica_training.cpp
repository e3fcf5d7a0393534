#include "run/replica/replica_training.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "plan/upload_slots.hpp"
#include "profile/stage_clock.hpp"
#include "run/collective/vote.hpp"
#include "run/network/replica_lost.hpp"

namespace sluice::run {
namespace {

static_assert(plan::kStepsAhead < StepState::kAhead);

sluice_step_rule make_rule(const config::PipelineSpec& spec, const LossScaler& scaler) {
    sluice_step_rule rule{};
    rule.clip_norm = spec.clip_norm;
    rule.has_norm = spec.clip_norm > 0.0 || scaler.scales() ? 1 : 0;
    scaler.add_to(rule);
    return rule;
}

}  // namespace

ReplicaTraining::ReplicaTraining(const config::PipelineSpec& spec, const plan::Toolbox& tools,
                                 const registry::Optimizer& optimizer, const ReplicaPlace& place, NetworkRunner& runner,
                                 ShardRange& shards)
    : runner_(runner),
      average_decay_(spec.train.ema),
      scaler_(tools),
      state_(runner.device(), runner.stream(), runner.threads(), runner.scalars(), make_rule(spec, scaler_),
             runner.network().weights().layout().parameter_count),
      exchange_(place.world > 1 ? make_exchange(spec, place) : nullptr),
      rollback_(runner.device(), runner.stream(), runner.network().weights(),
                spec.train.accumulate > 1 || scaler_.scales() || exchange_ != nullptr),
      replayable_(make_replayable()),  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): it is a unique_ptr
      update_({.device = *runner.device(),
               .optimizer = optimizer,
               .weights = runner.network().weights(),
               .state = state_,
               .spans = runner.spans(),
               .exchange = exchange_.get(),
               .threads = runner.device_threads(),
               .stream = runner.stream()}),
      update_graph_(runner.network().make_graph()),
      faults_(runner, scaler_, rollback_, update_, replayable_.get()),
      micro_batch_gradients_(spec, runner, state_, rollback_, replayable_.get(), exchange_.get()),
      gradients_(spec, {.runner = runner,
                        .shards = shards,
                        .micro_batches = micro_batch_gradients_,
                        .faults = faults_,
                        .report = state_.report(),
                        .exchange = exchange_.get()}),
      reports_(state_, scaler_, faults_, exchange_ ? &exchange_->collectives() : nullptr) {
    if (exchange_) {
        runner_.replica_sums().join(exchange_->collectives(), *runner_.device(), runner_.stream());
    }
}

std::unique_ptr<Exchange> ReplicaTraining::make_exchange(const config::PipelineSpec& spec,
                                                         const ReplicaPlace& place) const {
    return std::make_unique<Exchange>(place, spec.sharing,
                                      Exchange::Dependencies{.weights = runner_.network().weights(),
                                                             .device = runner_.device(),
                                                             .report = state_.report(),
                                                             .status = state_.status(),
                                                             .wants_norm = state_.wants_norm(),
                                                             .skips_gradients = spec.what_if.skips_exchange,
                                                             .threads = runner_.device_threads(),
                                                             .stream = runner_.stream()});
}

std::unique_ptr<ReplayableBatches> ReplicaTraining::make_replayable() {
    UploadQueue* const queue = runner_.batch_feed().upload_queue();
    return queue != nullptr ? std::make_unique<ReplayableBatches>(*queue, state_, runner_.reader()) : nullptr;
}

std::size_t ReplicaTraining::steps_ahead() const { return replayable_ != nullptr ? plan::kStepsAhead : 0; }

// If another process is lost meanwhile, adds the step and the collective to the error.
void ReplicaTraining::compute_gradients(const data::Batch& batch, const StepBatch& batch_in_step) {
    step_ = batch_in_step.step;
    if (batch_in_step.number == 0) {
        rollback_.begin();
    }
    try {
        gradients_.compute(batch, batch_in_step);
    } catch (const ReplicaLost& lost) {
        throw Error(lost.exit(), fmt::format("{}; this was noticed in step {}, before {}", lost.what(),
                                             batch_in_step.step, exchange_ ? exchange_->next_collective() : ""));
    }
}

StepResult ReplicaTraining::finish_step() {
    StepResult result = reports_.take();
    result.on_device = runner_.clock().take();
    return result;
}

void ReplicaTraining::update() {
    Weights& weights = runner_.network().weights();
    update_.begin();
    run_captured(update_graph_, update_.is_shared() ? &exchange_->vote() : nullptr, [&] {
        update_.restart();
        update_.decide();
        rollback_.put_back_unless_done(state_);
        update_.make();
        if (weights.average().is_kept()) {
            state_.move_averages(weights, average_decay_);
        }
        runner_.clock().mark(DeviceClock::Mark::updated);
    });
    weights.mark_changed();
    if (runner_.round_parameters(false)) {
        runner_.clock().mark(DeviceClock::Mark::updated);
    }
    {
        const profile::StageScope stage(profile::Stage::download);
        reports_.send(step_, runner_.clock());
    }
    rollback_.end();
}

}  // namespace sluice::run
