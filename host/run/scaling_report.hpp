// What several replicas win over one of them, measured in the first steps of a run.
#pragma once

#include <cstdint>
#include <string>

#include "data/loader.hpp"
#include "registry/processes.hpp"
#include "run/replica_group.hpp"

namespace sluice::run {

class ScalingReport {
public:
    // All outlive it; `world` replicas are there in all processes.
    ScalingReport(const ReplicaGroup& replicas, const registry::Processes& processes, std::uint32_t world);

    // Whether there are several, and measure() was not called yet; then it waits for a batch that is not short.
    [[nodiscard]] bool wants_batch() const { return world_ > 1 && together_ == 0.0; }
    // Computes a part of a step, first on one replica alone, then on all at once, each without the others' gradients.
    // Changes nothing.
    void measure(const data::Batch& batch, StepPart part);
    // Seconds of a whole step of so many parts, and of them those for which it waited for data. Returns what there is
    // to tell, once.
    std::string add_step(std::uint64_t parts, double seconds, double data_seconds);

private:
    [[nodiscard]] double time(const data::Batch& batch, const StepPart& part, std::uint32_t replicas) const;
    [[nodiscard]] std::string text() const;

    const ReplicaGroup& replicas_;
    const registry::Processes& processes_;
    std::uint32_t world_;
    double alone_ = 0.0;     // seconds
    double together_ = 0.0;  // the same
    int steps_ = 0;
    double parts_ = 0.0;    // of these steps
    double seconds_ = 0.0;  // the same
    double waited_ = 0.0;   // of them, for data
};

}  // namespace sluice::run
