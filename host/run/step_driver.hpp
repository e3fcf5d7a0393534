// Steps, put on all replicas of this process at once.
#pragma once

#include <cstdint>

#include "config/spec.hpp"
#include "data/loader.hpp"
#include "run/replica_group.hpp"

namespace sluice::run {

// All of it throws Error(Exit::worker_lost) where a replica is lost, beside what the replicas throw themselves.
class StepDriver {
public:
    // Both outlive it.
    StepDriver(const config::PipelineSpec& spec, const ReplicaGroup& replicas);

    void go_on_from(const LossScale& scale, std::uint64_t updates) const;
    // A part of a step: each replica computes its samples.
    void compute(const data::Batch& batch, const StepPart& part);
    void abandon_step() const;
    void update();
    // What the oldest step that is not finished did.
    [[nodiscard]] StepResult finish_step() const;
    [[nodiscard]] std::size_t steps_ahead() const { return replicas_.first().steps_ahead(); }

private:
    [[nodiscard]] double patience() const;

    const config::PipelineSpec& spec_;
    const ReplicaGroup& replicas_;
    double began_ = 0.0;    // the step at hand
    double longest_ = 0.0;  // seconds of a step so far
};

}  // namespace sluice::run
