// Forward and backward of one micro-batch of a shard. It adds its gradients to those of the step.
#pragma once

#include <cstdint>
#include <optional>

#include "run/collective/exchange.hpp"
#include "run/network/single_value_statistics_backup.hpp"
#include "run/network/step_rollback.hpp"
#include "run/replica/network_runner.hpp"
#include "run/replica/step_batch.hpp"
#include "run/upload/replayable_batches.hpp"
#include "run/weights/gradient_backup.hpp"

namespace sluice::run {

class MicroBatchGradients {
public:
    // The arguments must outlive this object. `replayable` is null on a synchronous device; `exchange` is null if there
    // are no other replicas.
    MicroBatchGradients(const config::PipelineSpec& spec, NetworkRunner& runner, StepState& state,
                        const StepRollback& rollback, ReplayableBatches* replayable, Exchange* exchange);

    // The place of a micro-batch in its step.
    struct Place {
        std::int64_t number;          // among the micro-batches of all shards of the batch
        bool is_first;                // of the step
        bool exchanges;               // gradients are exchanged while backward computes them
        bool may_be_captured;         // may run as a captured graph
        bool is_of_one = false;       // the whole batch has one sample
        bool has_no_samples = false;  // the replica has no samples: it computes another's sample and contributes zeros
    };

    // Sets the number of terms in the loss of a step, over all replicas. It keeps the gradients near those of the mean.
    void set_loss_elements(double count) { loss_elements_ = count; }
    // Computes a micro-batch with the program in use. Returns false if the device is a CPU and this replica's loss of
    // the step so far is not finite.
    [[nodiscard]] bool compute(Program& program, const data::Batch& micro_batch, const StepBatch& batch_in_step,
                               const Place& place);
    // Contributes zeros for a replica without samples. If joins_others(), call compute() with Place::has_no_samples
    // instead.
    void skip(const StepBatch& batch_in_step, const Place& place);
    [[nodiscard]] bool joins_others() const { return gradients_before_.has_value(); }

private:
    sluice_step_start start(const StepBatch& batch_in_step, std::int64_t number);
    void run(Program& program, const StepBatch& batch_in_step, const Place& place);
    void run_once(const Program& program, const Place& place);
    void set_waits_for_each(bool waits) const;

    NetworkRunner& runner_;
    StepState& state_;
    const StepRollback& rollback_;
    ReplayableBatches* replayable_;
    Exchange* exchange_;
    std::uint64_t batches_per_step_;
    std::optional<GradientBackup> gradients_before_;  // if layers sum over all replicas
    SingleValueStatisticsBackup single_values_;
    double loss_elements_ = 1.0;
    bool own_loss_is_finite_ = true;
};

}  // namespace sluice::run
