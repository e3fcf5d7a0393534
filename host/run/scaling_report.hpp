// What several replicas win over one of them, measured in the first steps of a run.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "data/loader.hpp"
#include "registry/processes.hpp"
#include "run/replica_group.hpp"

namespace sluice::run {

class ScalingReport {
public:
    // All outlive it; `world` replicas are there in all processes, and what they exchange may travel in 16 bits.
    ScalingReport(const ReplicaGroup& replicas, const registry::Processes& processes, std::uint32_t world,
                  bool narrow_wire);

    // Whether there are several, and measure() was not called yet; then it waits for a batch that is not short.
    [[nodiscard]] bool wants_batch() const { return world_ > 1 && together_ == 0.0; }
    // Computes a part of a step, first on one replica alone, then on all at once, each without the others' gradients.
    // Changes nothing.
    void measure(const data::Batch& batch, StepPart part);
    // Seconds of a whole step of so many parts, the one that was finished last, and of them those for which it waited
    // for data. All processes call it with the same steps, `patience` seconds apart at most. Returns what there is to
    // tell, once.
    std::string add_step(std::uint64_t parts, double seconds, double data_seconds, double patience);

private:
    static constexpr int kSteps = 10;

    // Seconds of a batch that replicas wait at its end: who comes first for who comes last, and all of them for what
    // travels then.
    struct Waits {
        double for_others = 0.0;
        double for_exchange = 0.0;
        std::uint32_t last = 0;  // who comes last, of the world
    };
    // Of the replicas of a process, in each step that is counted.
    struct OwnWaits {
        std::array<double, kSteps> least{};
        double most_sum = 0.0;       // of the one that waits most
        double least_sum = 0.0;      // of the one that waits least
        std::uint32_t least_by = 0;  // its number
    };

    [[nodiscard]] double time(const data::Batch& batch, const StepPart& part, std::uint32_t replicas) const;
    void add_waits();
    [[nodiscard]] bool waits_on_device() const;
    [[nodiscard]] OwnWaits own_waits() const;
    [[nodiscard]] Waits waits(double patience) const;
    [[nodiscard]] std::string cure(double data, const Waits& waits, double rest) const;
    [[nodiscard]] std::string text(double patience) const;

    const ReplicaGroup& replicas_;
    const registry::Processes& processes_;
    std::uint32_t world_;
    bool narrow_wire_;
    double alone_ = 0.0;     // seconds
    double together_ = 0.0;  // the same
    int steps_ = 0;
    double parts_ = 0.0;                      // of these steps
    double seconds_ = 0.0;                    // the same
    double waited_ = 0.0;                     // of them, for data
    std::vector<std::vector<double>> waits_;  // by step and replica of this process
};

}  // namespace sluice::run
