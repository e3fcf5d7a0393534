// Policies are measured in rounds, and each policy has one turn per round. Other load on the machine then slows all
// policies of a round, or only a round that does not decide.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sluice::run {

struct PolicyTime {
    std::string name;
    double seconds = 0.0;  // of the fastest step
    double share = 1.0;    // of float32's time, as share_of()
};

// Fewer rounds cannot show which policy is faster.
constexpr std::size_t kFewestRounds = 5;

// Returns the share of the baseline's time that three rounds of four do not exceed. Both spans have one time per round.
double share_of(std::span<const double> own, std::span<const double> baseline);

// True if this share of float32's time is a gain that is not due to chance.
bool is_gain(double share);

// Measures a step of policy number `i` and returns its seconds; infinity if it fails.
using PolicyTurn = std::function<double(std::size_t i)>;

// Returns one time for each name. If float32 is not among the names, the first one is the baseline.
std::vector<PolicyTime> measure_in_rounds(std::span<const std::string> names, const PolicyTurn& turn);

// Returns the fastest policy, or float32 in doubt: another policy has to save 5 % of its time in three rounds of four.
const PolicyTime& choose_fastest(std::span<const PolicyTime> times);

}  // namespace sluice::run
