// Where the seconds of steps go that several replicas share.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace sluice::run {

// Of one step of one replica, in seconds.
struct StepTimes {
    double whole = 0.0;
    double data = 0.0;     // for which its process waited for its own samples
    double compute = 0.0;  // of forward and backward, as they were measured by themselves
    double waited = 0.0;   // at its end, for the others and then for what travels: only a CPU waits there
};

inline constexpr std::size_t kSharedSteps = 10;
using ReplicaTimes = std::array<StepTimes, kSharedSteps>;

// Of all these steps of one replica. No second counts twice: they are at most `whole` together.
struct StepShares {
    double whole = 0.0;
    double data = 0.0;      // waits for its samples, or for those of the replica that had to wait for them longest
    double others = 0.0;    // waits for replicas that come later for another reason
    double exchange = 0.0;  // all of them wait for what travels
    double compute = 0.0;
};

// Of each of all replicas.
[[nodiscard]] std::vector<StepShares> share_out(std::span<const ReplicaTimes> all);

}  // namespace sluice::run
