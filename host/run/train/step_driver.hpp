// Steps, put on all replicas of this process at once.
#pragma once

#include <cstdint>
#include <vector>

#include "config/spec.hpp"
#include "data/loader/loader.hpp"
#include "run/replica/replica_group.hpp"

namespace sluice::run {

// All of it throws Error(Exit::worker_lost) where a replica is lost, beside what the replicas throw themselves.
class StepDriver {
public:
    // Both outlive it.
    StepDriver(const config::PipelineSpec& spec, const ReplicaGroup& replicas);

    void go_on_from(const LossScale& scale, std::uint64_t updates) const;
    // Comes before each part of a step. For shapes that no batch had before, all devices come to rest, and replicas
    // take memory: no device may wait for another meanwhile.
    void prepare(const data::Batch& batch, std::uint64_t part);
    // Seconds that the steps from the next one on may wait for data of another process, beside patience().
    void wait_for_input(double seconds) { input_ = seconds; }
    // A part of a step: each replica computes its samples.
    void compute(const data::Batch& batch, StepPart part);
    void abandon_step() const;
    void update();
    // What the oldest step that is not finished did.
    [[nodiscard]] StepResult finish_step() const;
    // Seconds that a replica may be behind another in a step that meets no new shapes; 0: any.
    [[nodiscard]] double patience() const;
    [[nodiscard]] std::size_t steps_ahead() const { return replicas_.first().steps_ahead(); }

private:
    using Shapes = std::vector<sluice_tensor_spec>;

    bool is_new(const data::Batch& batch);
    // Seconds that a replica may be behind another in the step at hand; 0: any.
    [[nodiscard]] double patience_with_input() const;
    // And until a thread that does not come back is stuck.
    [[nodiscard]] double thread_patience() const;

    const config::PipelineSpec& spec_;
    const ReplicaGroup& replicas_;
    std::vector<Shapes> known_;  // of batches
    bool prepares_ = false;      // in the step at hand: for shapes that it meets for the first time
    double began_ = 0.0;         // that step
    double longest_ = 0.0;       // seconds of a step so far, of those that met no new shapes once there was one
    bool is_usual_ = false;      // whether there was
    double input_ = 0.0;
    double patience_ = 0.0;  // seconds that a replica may be behind another in the step at hand; 0: any
};

}  // namespace sluice::run
