// Measures the speedup of several replicas over one, in the first steps of a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/loader/batch.hpp"
#include "registry/optional/processes.hpp"
#include "run/replica/replica_group.hpp"
#include "run/tuning/speedup_verdict.hpp"

namespace sluice::run {

class SpeedupReport {
public:
    // The references must outlive this object. `world`: number of replicas in all processes.
    SpeedupReport(const config::PipelineSpec& spec, const ReplicaGroup& replicas, const registry::Processes& processes,
                  std::uint32_t world);

    // True if there are several replicas and measure() was not called yet. It needs a batch of full size.
    [[nodiscard]] bool wants_batch() const { return world_ > 1 && measured_.together == 0.0; }
    // Computes a batch, first on one replica alone, then on all at once, in each case without exchanging gradients.
    // Leaves weights and statistics unchanged.
    void measure(const data::Batch& batch, StepBatch batch_in_step);
    // Adds the last finished step: its number of batches, its seconds, and the seconds it waited for data. All
    // processes call it for the same steps, at most `timeout` seconds apart. Returns the report once, else nothing.
    std::string add_step(std::uint64_t batch_count, double seconds, double data_seconds, double timeout);

private:
    [[nodiscard]] double time(const data::Batch& batch, const StepBatch& batch_in_step, std::uint32_t replicas) const;
    [[nodiscard]] ReplicaPlacement homes(double timeout) const;
    [[nodiscard]] std::string text(double timeout) const;

    const config::PipelineSpec& spec_;
    const ReplicaGroup& replicas_;
    const registry::Processes& processes_;
    std::uint32_t world_;
    SpeedupVerdict::Measured measured_{};
    std::size_t steps_ = 0;
    double batches_ = 0.0;             // batches of the counted steps
    std::vector<ReplicaTimes> times_;  // for each replica of this process
};

}  // namespace sluice::run
