// What the first steps of a run measure, while they train: the size of buckets, then what several replicas gain.
#pragma once

#include <cstdint>

#include "config/spec.hpp"
#include "registry/objects/processes.hpp"
#include "run/replica/replica_group.hpp"
#include "run/train/steps_in_flight.hpp"
#include "run/tuning/bucket_tuner.hpp"
#include "run/tuning/speedup_report.hpp"

namespace sluice::run {

// The gain is measured with the buckets that the run keeps. Both do nothing if there is one replica.
class FirstSteps {
public:
    // All outlive it; all processes have `world` replicas together.
    FirstSteps(const config::PipelineSpec& spec, const ReplicaGroup& replicas, const registry::Processes& processes,
               std::uint32_t world);

    // Comes before the first step, in all processes.
    void begin() { buckets_.begin(); }
    // Comes before a part of a step is computed, which it may compute as well, to measure it.
    void add_batch(const data::Batch& batch, const StepBatch& part);
    // Comes after each step, in all processes; they are `timeout` seconds apart at most. `seconds`: that it took.
    void add_step(const StepInFlight& step, double seconds, double timeout);

private:
    const config::PipelineSpec& spec_;
    BucketTuner buckets_;
    SpeedupReport speedup_;
};

}  // namespace sluice::run
