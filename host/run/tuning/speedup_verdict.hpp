// Text about the measured speedup of several replicas over one: what holds them up, and what would help.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run/tuning/step_shares.hpp"

namespace sluice::run {

// The placement of the replicas.
struct ReplicaPlacement {
    std::vector<std::string> hosts;  // host name of each process
    std::uint32_t replicas = 1;      // in each process
    bool are_on_cpu = true;
    bool may_send_bfloat16 = false;  // result of could_send_bfloat16()
};

class SpeedupVerdict {
public:
    // Seconds of a batch: on one replica while the others are idle, and on all at once.
    struct Measured {
        double alone;
        double together;
    };
    // `times`: of all replicas of the world, by rank. `batches`: batches in all of these steps together.
    SpeedupVerdict(ReplicaPlacement homes, const Measured& measured, const std::vector<ReplicaTimes>& times,
                   double batches);

    // Returns one line.
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

    ReplicaPlacement homes_;
    Measured measured_;
    double batches_;
    StepShares shares_;                   // of the replica that waits longest for others
    std::size_t slowest_ = 0;             // rank of the replica that waits least
    double lag_ = 0.0;                    // seconds that shares_ waits for others and the slowest replica does not
    std::vector<double> waits_for_data_;  // seconds that each process waits for its own samples
};

}  // namespace sluice::run
