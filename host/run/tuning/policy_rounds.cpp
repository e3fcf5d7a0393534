#include "run/tuning/policy_rounds.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace sluice::run {
namespace {

constexpr const char* kBaseline = "float32";
constexpr double kGain = 0.95;  // largest share of float32's time that counts as a gain
constexpr std::size_t kMostRounds = 15;
constexpr double kSeconds = 4.0;  // of measured steps; then no further round begins, unless there are too few

// [policy][round]
using Rounds = std::vector<std::vector<double>>;

// Every second round runs in reverse order, so that a machine that slows down affects the first and the last alike.
double take_round(Rounds& rounds, const PolicyTurn& turn) {
    const bool backwards = rounds.front().size() % 2 == 1;
    double spent = 0.0;
    for (std::size_t k = 0; k < rounds.size(); ++k) {
        const std::size_t i = backwards ? rounds.size() - 1 - k : k;
        rounds[i].push_back(turn(i));
        spent += rounds[i].back();
    }
    return spent;
}

// Returns the value that three of four values do not exceed.
double upper_quartile(std::vector<double> values) {
    std::ranges::sort(values);
    return values[(3 * values.size() + 3) / 4 - 1];
}

}  // namespace

// A failed turn counts as infinitely long, even if the baseline failed too.
double share_of(std::span<const double> own, std::span<const double> baseline) {
    std::vector<double> shares;
    std::ranges::transform(own, baseline, std::back_inserter(shares),
                           [](double mine, double other) { return std::isinf(mine) ? mine : mine / other; });
    return upper_quartile(std::move(shares));
}

bool is_gain(double share) { return share <= kGain; }

std::vector<PolicyTime> measure_in_rounds(std::span<const std::string> names, const PolicyTurn& turn) {
    Rounds rounds(names.size());
    double spent = 0.0;
    for (std::size_t round = 0; round < kFewestRounds || (round < kMostRounds && spent < kSeconds); ++round) {
        spent += take_round(rounds, turn);
    }
    const auto found = std::ranges::find(names, kBaseline);
    const std::vector<double>& baseline = rounds[found == names.end() ? 0 : found - names.begin()];
    std::vector<PolicyTime> times;
    for (std::size_t i = 0; i < names.size(); ++i) {
        times.push_back({names[i], std::ranges::min(rounds[i]), share_of(rounds[i], baseline)});
    }
    return times;
}

const PolicyTime& choose_fastest(std::span<const PolicyTime> times) {
    const auto fastest = std::ranges::min_element(times, {}, &PolicyTime::share);
    const auto baseline = std::ranges::find(times, kBaseline, &PolicyTime::name);
    const bool in_doubt = baseline != times.end() && !is_gain(fastest->share);
    return in_doubt ? *baseline : *fastest;
}

}  // namespace sluice::run
