// Measures the first steps of a run, while they train: the size of buckets, then what several replicas gain.
#pragma once

#include <cstdint>

#include "config/spec.hpp"
#include "registry/optional/processes.hpp"
#include "run/replica/replica_group.hpp"
#include "run/train/steps_in_flight.hpp"
#include "run/tuning/bucket_tuner.hpp"
#include "run/tuning/speedup_report.hpp"

namespace sluice::run {

// The gain is measured with the buckets that the run keeps. Both do nothing if there is one replica.
class FirstSteps {
public:
    // All references must outlive this object. All processes have `world` replicas together.
    FirstSteps(const config::PipelineSpec& spec, const ReplicaGroup& replicas, const registry::Processes& processes,
               std::uint32_t world);

    // All processes call it before the first step.
    void begin() { buckets_.begin(); }
    // True if add_batch() will compute this batch, to measure it.
    [[nodiscard]] bool measures(const data::Batch& batch) const;
    // Call it before a batch is computed. It may compute the batch too, to measure it.
    void add_batch(const data::Batch& batch, const StepBatch& batch_in_step);
    // All processes call it after each step, at most `timeout` seconds apart. `seconds` is the time of the step.
    void add_step(const StepInFlight& step, const profile::StageSeconds& seconds, double timeout);

private:
    const config::PipelineSpec& spec_;
    BucketTuner buckets_;
    SpeedupReport speedup_;
};

}  // namespace sluice::run
