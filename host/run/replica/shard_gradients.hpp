// Gradients of a replica's shards of a batch. It computes the shards one after the other, each in micro-batches.
#pragma once

#include <cstdint>
#include <optional>

#include "run/collective/exchange.hpp"
#include "run/collective/shard_accumulator.hpp"
#include "run/collective/shard_range.hpp"
#include "run/replica/micro_batch_gradients.hpp"
#include "run/replica/network_runner.hpp"
#include "run/replica/step_batch.hpp"
#include "run/replica/step_faults.hpp"

namespace sluice::run {

class ShardGradients {
public:
    // Borrowed from the replica. `report` is in device memory; `exchange` is null if there are no other replicas.
    struct Dependencies {
        NetworkRunner& runner;
        ShardRange& shards;
        MicroBatchGradients& micro_batches;
        StepFaults& faults;
        sluice_step_report* report;
        Exchange* exchange;
    };
    // Throws Error(Exit::config) if a layer needs the statistics of a whole batch but the replica computes several
    // shards or micro-batches.
    ShardGradients(const config::PipelineSpec& spec, const Dependencies& dependencies);

    // Allocates what it needs for batches of these shapes.
    void make_ready(const data::Batch& batch);
    // Enqueues forward and backward of its samples. Exchanges the gradients with the last batch of the step. Throws as
    // StepFaults::find_in().
    void compute(const data::Batch& batch, const StepBatch& batch_in_step);

private:
    void expect_whole_batches() const;
    void compute_shard(const data::Batch& batch, const StepBatch& batch_in_step, std::int64_t shard);
    void skip_shard(const data::Batch& batch, const StepBatch& batch_in_step, std::int64_t shard);
    void set_loss_elements(const Program& program, const data::Batch& batch, const StepBatch& batch_in_step);
    void compute_micro_batch(Program& program, const data::Batch& micro_batch, const StepBatch& batch_in_step,
                             const MicroBatchGradients::Place& place);
    [[nodiscard]] bool exchanges_itself(const StepBatch& batch_in_step) const;

    NetworkRunner& runner_;
    ShardRange& shards_;
    MicroBatchGradients& micro_batch_gradients_;
    StepFaults& faults_;
    const sluice_step_report* report_;
    Exchange* exchange_;
    std::int64_t whole_batch_;
    std::optional<ShardAccumulator> kept_shards_;  // if the replica computes several shards
};

}  // namespace sluice::run
