// Runs training steps on all replicas of this process at once.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "config/spec.hpp"
#include "data/loader/batch.hpp"
#include "run/replica/replica_group.hpp"

namespace sluice::run {

// All functions throw Error(Exit::replica_lost) if a replica is lost, in addition to the replicas' own errors.
class StepDriver {
public:
    // `spec` and `replicas` must outlive this object.
    StepDriver(const config::PipelineSpec& spec, const ReplicaGroup& replicas);

    void resume_from(const LossScale& scale, std::uint64_t updates) const;
    // Call it before each batch of a step. If the batch has new shapes, all devices finish their work and the replicas
    // allocate memory, since no device may wait for another meanwhile.
    void prepare(const data::Batch& batch, std::uint64_t batch_in_step);
    // Sets the seconds by which later steps may wait longer than timeout(), for the data of another process.
    void set_input_timeout(double seconds) { input_timeout_ = seconds; }
    // Computes a batch of a step: each replica computes its samples.
    void compute(const data::Batch& batch, StepBatch batch_in_step);
    void abandon_step() const;
    void update();
    // Waits for the oldest step in flight and returns its result.
    [[nodiscard]] StepResult finish_step() const;
    // Timeout in seconds for replicas that wait for another one, in a step without new shapes; 0: none.
    [[nodiscard]] double timeout() const;
    [[nodiscard]] std::size_t steps_ahead() const { return replicas_.first().training().steps_ahead(); }

private:
    using Shapes = std::vector<sluice_tensor_spec>;
    using Work = std::function<void(Replica&)>;

    // Calls `work` with every replica. The clock of the loop follows the first one, and then waits for the others.
    void each(const Work& work, double timeout) const;

    bool is_new(const data::Batch& batch);
    // The same timeout for the current step, with the wait for input; 0: none.
    [[nodiscard]] double timeout_with_input() const;
    // Timeout after which a replica's thread that does not return counts as stuck, in seconds; 0: none.
    [[nodiscard]] double thread_timeout() const;

    const config::PipelineSpec& spec_;
    const ReplicaGroup& replicas_;
    std::vector<Shapes> known_;   // shapes of earlier batches
    bool prepares_ = false;       // the current step has a batch of new shapes
    double began_ = 0.0;          // start of the current step, as now()
    double longest_ = 0.0;        // seconds of the longest step; steps with new shapes only count until is_usual_
    bool is_usual_ = false;       // there was a step without new shapes
    double input_timeout_ = 0.0;  // seconds, see set_input_timeout()
    double timeout_ = 0.0;        // timeout of the current step without input_timeout_, in seconds; 0: none
};

}  // namespace sluice::run
