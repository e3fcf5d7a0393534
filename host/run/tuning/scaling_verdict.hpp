// What several replicas win over one of them, what holds them up, and what would help: in words, of what was measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run/tuning/step_shares.hpp"

namespace sluice::run {

// Where the replicas are.
struct ReplicaHomes {
    std::vector<std::string> hosts;  // of each process
    std::uint32_t replicas = 1;      // in each process
    bool are_on_cpu = true;
    bool may_narrow = false;  // as may_travel_narrow()
};

class ScalingVerdict {
public:
    // Seconds of a batch: of one replica while the others rest, and of all at once.
    struct Measured {
        double alone;
        double together;
    };
    // Of all replicas of the world, in their order, in steps of so many batches together.
    ScalingVerdict(ReplicaHomes homes, const Measured& measured, const std::vector<ReplicaTimes>& times,
                   double batches);

    // One line.
    [[nodiscard]] std::string text() const;

private:
    [[nodiscard]] double seconds(double sum) const { return sum / batches_; }
    [[nodiscard]] double rest() const;
    [[nodiscard]] double held_up_by_sharing() const;
    [[nodiscard]] bool are_on_several_hosts() const;
    [[nodiscard]] bool share_machines() const;
    [[nodiscard]] std::optional<std::size_t> process_without_input() const;
    [[nodiscard]] std::string cure() const;
    [[nodiscard]] std::string cure_of_input() const;
    [[nodiscard]] std::string cure_of_exchange() const;

    ReplicaHomes homes_;
    Measured measured_;
    double batches_;
    StepShares shares_;                   // of the replica that waits longest for others
    std::size_t slowest_ = 0;             // the replica that waits least
    double lag_ = 0.0;                    // of what is waited for others, that for which the slowest does not wait
    std::vector<double> waits_for_data_;  // of each process, for its own samples
};

}  // namespace sluice::run
