// Policies are measured in rounds, in each of which every one has its turn: what else the machine does meanwhile then
// meets all of them, or a round that does not decide.
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
    double share = 1.0;    // of float32's time, at most, in three rounds of four
};

// Fewer are too few to say who is faster.
constexpr std::size_t kFewestRounds = 5;

// The share of the baseline's time that it takes, at most, in three rounds of four. Both have one time for each round.
double share_of(std::span<const double> own, std::span<const double> baseline);

// Whether that share of float32's time is a gain that does not come from chance alone.
bool is_gain(double share);

// Seconds of a step of policy number `i`, measured now; infinite where it fails.
using PolicyTurn = std::function<double(std::size_t i)>;

// One time for each name. Without float32 the shares are of the first one's time.
std::vector<PolicyTime> measure_in_rounds(std::span<const std::string> names, const PolicyTurn& turn);

// The fastest. In doubt float32: another policy has to spare a twentieth of its time in three rounds of four.
const PolicyTime& choose_fastest(std::span<const PolicyTime> times);

}  // namespace sluice::run
