// Shares of the time of steps with several replicas: data, waits, exchange and compute.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace sluice::run {

// Times of one step of one replica, in seconds.
struct StepTimes {
    double whole = 0.0;
    double data = 0.0;     // wait of its process for its own samples
    double compute = 0.0;  // forward and backward, from a separate measurement
    double waited = 0.0;   // wait at its end, for other replicas and then for the transfer; CPU only
};

inline constexpr std::size_t kSharedSteps = 10;
using ReplicaTimes = std::array<StepTimes, kSharedSteps>;

// Sums over all these steps of one replica, in seconds. No second counts twice, so the shares sum to at most `whole`.
struct StepShares {
    double whole = 0.0;
    double data = 0.0;      // waits for its own samples, or for those of the replica that waits longest for samples
    double others = 0.0;    // waits for replicas that are late for another reason
    double exchange = 0.0;  // waits of all replicas for the transfer
    double compute = 0.0;
};

// Returns the shares of each replica.
[[nodiscard]] std::vector<StepShares> split_step_times(std::span<const ReplicaTimes> all);

}  // namespace sluice::run
