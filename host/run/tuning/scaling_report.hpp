// What several replicas win over one of them, measured in the first steps of a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/loader/loader.hpp"
#include "registry/objects/processes.hpp"
#include "run/replica/replica_group.hpp"
#include "run/tuning/scaling_verdict.hpp"

namespace sluice::run {

class ScalingReport {
public:
    // All outlive it; `world` replicas are there in all processes.
    ScalingReport(const config::PipelineSpec& spec, const ReplicaGroup& replicas, const registry::Processes& processes,
                  std::uint32_t world);

    // Whether there are several, and measure() was not called yet; then it waits for a batch that is not short.
    [[nodiscard]] bool wants_batch() const { return world_ > 1 && measured_.together == 0.0; }
    // Computes a part of a step, first on one replica alone, then on all at once, each without the others' gradients.
    // Changes nothing.
    void measure(const data::Batch& batch, StepPart part);
    // Seconds of a whole step of so many parts, the one that was finished last, and of them those for which it waited
    // for data. All processes call it with the same steps, `patience` seconds apart at most. Returns what there is to
    // tell, once.
    std::string add_step(std::uint64_t parts, double seconds, double data_seconds, double patience);

private:
    [[nodiscard]] double time(const data::Batch& batch, const StepPart& part, std::uint32_t replicas) const;
    [[nodiscard]] ReplicaHomes homes(double patience) const;
    [[nodiscard]] std::string text(double patience) const;

    const config::PipelineSpec& spec_;
    const ReplicaGroup& replicas_;
    const registry::Processes& processes_;
    std::uint32_t world_;
    ScalingVerdict::Measured measured_{};
    std::size_t steps_ = 0;
    double parts_ = 0.0;               // of those that are counted
    std::vector<ReplicaTimes> times_;  // of each replica of this process
};

}  // namespace sluice::run
