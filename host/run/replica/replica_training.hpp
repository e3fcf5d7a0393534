// The training half of a replica: it runs the stages of a step in order.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "run/collective/exchange.hpp"
#include "run/collective/shard_range.hpp"
#include "run/collective/vote.hpp"
#include "run/network/loss_scaler.hpp"
#include "run/network/step_rollback.hpp"
#include "run/network/step_state.hpp"
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

    // See Replica for these functions.
    void make_ready(const data::Batch& batch) { gradients_.make_ready(batch); }
    void compute_gradients(const data::Batch& batch, const StepBatch& batch_in_step);
    void abandon_step() { rollback_.abandon(); }
    void update();
    StepResult finish_step() { return reports_.take(); }
    void resume_from(const LossScale& scale, std::uint64_t updates) { reports_.resume_from(scale, updates); }

    [[nodiscard]] const LossScaler& loss_scaler() const { return scaler_; }
    [[nodiscard]] StepFaults& faults() { return faults_; }
    [[nodiscard]] const StepFaults& faults() const { return faults_; }
    // Null: there are no other replicas.
    [[nodiscard]] Exchange* exchange() const { return exchange_.get(); }
    void gather_states(FullOptimizerStates* to, double timeout) { update_.gather_states(to, timeout); }

private:
    [[nodiscard]] std::unique_ptr<Exchange> make_exchange(const config::SharingSpec& sharing,
                                                          const ReplicaPlace& place) const;

    NetworkRunner& runner_;
    double average_decay_;
    LossScaler scaler_;
    StepState state_;
    std::unique_ptr<Exchange> exchange_;
    std::unique_ptr<Vote> vote_;  // null: there are no other replicas
    StepRollback rollback_;
    std::unique_ptr<ReplayableBatches> replayable_;  // null: the device is synchronous
    ParameterUpdate update_;
    CapturedGraph update_graph_;
    StepFaults faults_;
    ShardGradients gradients_;
    StepReports reports_;
    std::uint64_t step_ = 0;  // the current step
};

}  // namespace sluice::run
