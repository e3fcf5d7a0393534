// Trains a replica: it runs the stages of a step in order, and has what they share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "run/collective/exchange.hpp"
#include "run/collective/shard_range.hpp"
#include "run/network/loss_scaler.hpp"
#include "run/network/step_rollback.hpp"
#include "run/network/step_state.hpp"
#include "run/replica/micro_batch_gradients.hpp"
#include "run/replica/network_runner.hpp"
#include "run/replica/parameter_update.hpp"
#include "run/replica/shard_gradients.hpp"
#include "run/replica/step_batch.hpp"
#include "run/replica/step_faults.hpp"
#include "run/replica/step_reports.hpp"
#include "run/upload/replayable_batches.hpp"

namespace sluice::run {

class ReplicaTraining {
public:
    // The arguments must outlive this object. Throws as ShardGradients::ShardGradients().
    ReplicaTraining(const config::PipelineSpec& spec, const plan::Toolbox& tools, const registry::Optimizer& optimizer,
                    const ReplicaPlace& place, NetworkRunner& runner, ShardRange& shards);

    // Resumes from this loss scale and number of updates. Not allowed while a step is on the stream. The loss of a step
    // is multiplied by the scale, and its gradients are divided by it before they are clipped.
    void resume_from(const LossScale& scale, std::uint64_t updates) { reports_.resume_from(scale, updates); }
    // Allocates what training needs for batches of these shapes; otherwise the first batch does. With several replicas
    // that could block: other devices may wait for this one in a collective. All replicas must be idle.
    void make_ready(const data::Batch& batch) { gradients_.make_ready(batch); }
    // Enqueues forward and backward of its samples of a batch. The gradients accumulate over the batches of the step;
    // after the last batch they are the sums of all replicas. On a CPU the work is done on return. Then it throws
    // Error(Exit::diverged) with the layer if the loss is not finite, unless the data are finite and the loss is
    // scaled.
    void compute_gradients(const data::Batch& batch, const StepBatch& batch_in_step);
    // Rolls back what an unfinished step has changed: the running statistics.
    void abandon_step() { rollback_.abandon(); }
    // Enqueues the optimizer step with these gradients.
    void update();
    // Returns how many updates may be in flight before finish_step() must be called.
    [[nodiscard]] std::size_t steps_ahead() const;
    // Waits for the oldest step in flight and returns its result. Throws Error(Exit::diverged) with the layer if the
    // loss or, if it is wanted, the gradient norm is not finite, unless the loss is scaled. The parameters are then
    // those from before that step.
    StepResult finish_step();
    // All-gathers sharded optimizer states; all replicas call it at the same time. `to`, which may be null, receives
    // all states. Not allowed while a step is on the stream. Throws Error(Exit::replica_lost) if another replica does
    // not join within `timeout` seconds.
    void gather_states(FullOptimizerStates* to, double timeout) { update_.gather_states(to, timeout); }

    // Returns how the loss is scaled, if it is.
    [[nodiscard]] const LossScaler& loss_scaler() const { return scaler_; }
    // Returns the faults of the last finished step.
    [[nodiscard]] StepFaults& faults() { return faults_; }
    // Null: there are no other replicas.
    [[nodiscard]] Exchange* exchange() const { return exchange_.get(); }

private:
    [[nodiscard]] std::unique_ptr<Exchange> make_exchange(const config::PipelineSpec& spec,
                                                          const ReplicaPlace& place) const;
    [[nodiscard]] std::unique_ptr<ReplayableBatches> make_replayable();

    NetworkRunner& runner_;
    double average_decay_;
    LossScaler scaler_;
    StepState state_;
    std::unique_ptr<Exchange> exchange_;
    StepRollback rollback_;
    std::unique_ptr<ReplayableBatches> replayable_;  // null: the device is synchronous
    ParameterUpdate update_;
    CapturedGraph update_graph_;
    StepFaults faults_;
    MicroBatchGradients micro_batch_gradients_;
    ShardGradients gradients_;
    StepReports reports_;
    std::uint64_t step_ = 0;  // the current step
};

}  // namespace sluice::run
