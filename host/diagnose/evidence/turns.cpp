#include "diagnose/evidence/turns.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace sluice::diagnose {
namespace {

constexpr std::size_t kFewestRounds = 3;
constexpr double kConfidence = 0.95;
// Standard deviation between equal trainings that run by turns, however long: their memory lies at other places.
constexpr double kErrorOfProcesses = 0.008;
// Trainings that use different resources are not slowed down alike by other users of the machine.
constexpr double kErrorOfGain = 0.035;

constexpr std::array<run::Phase, 2> kRare{run::Phase::evaluation, run::Phase::checkpoints};
constexpr std::size_t kFewestTimes = 3;  // of rare work, from which it counts by itself

double overlap(const Turn& turn, double begin, double end) {
    return std::max(0.0, std::min(turn.end, end) - std::max(turn.begin, begin));
}

// Calls `add` for each turn that has a part of this time, with the seconds and the share of all turns' time in it.
// `first`: no earlier turn has any; it moves on.
template <class Add>
void share_among(const std::vector<Turn>& turns, double begin, double end, std::size_t& first, const Add& add) {
    while (first < turns.size() && turns[first].end <= begin) {
        ++first;
    }
    double whole = 0.0;
    for (std::size_t i = first; i < turns.size() && turns[i].begin < end; ++i) {
        whole += overlap(turns[i], begin, end);
    }
    for (std::size_t i = first; i < turns.size() && turns[i].begin < end && whole > 0.0; ++i) {
        const double seconds = overlap(turns[i], begin, end);
        add(i, seconds, seconds / whole);
    }
}

// How often work of a phase comes in a step: once between the same number of steps each time. 0 if it came seldom.
double times_per_step(const std::vector<run::StepLogEntry>& entries, run::Phase phase) {
    std::size_t times = 0;
    std::int64_t steps = 0;  // since the first time
    std::int64_t steps_at_last = 0;
    for (const run::StepLogEntry& entry : entries) {
        steps += times > 0 && entry.step > 0 ? 1 : 0;
        if (entry.of() == phase) {
            ++times;
            steps_at_last = steps;
        }
    }
    return times >= kFewestTimes && steps_at_last > 0
               ? static_cast<double>(times - 1) / static_cast<double>(steps_at_last)
               : 0.0;
}

// Sums over turns, some of which may be left out.
struct TurnSums {
    TurnWork sum;

    void add(const TurnWork& work) {
        sum.seconds += work.seconds;
        sum.steps += work.steps;
        for (std::size_t i = 0; i < kRare.size(); ++i) {
            sum.rare[i].seconds += work.rare[i].seconds;
            sum.rare[i].times += work.rare[i].times;
        }
    }
    [[nodiscard]] double seconds_per_step(const std::array<double, 2>& rare_per_step) const {
        double seconds = sum.seconds / std::max(sum.steps, 1e-9);
        for (std::size_t i = 0; i < kRare.size(); ++i) {
            const TurnWork::Rare& rare = sum.rare[i];
            seconds += rare.times > 0.0 ? rare.seconds / rare.times * rare_per_step[i] : 0.0;
        }
        return seconds;
    }
};

// The logarithm of the ratio in these rounds without `left_out`; it is none of them if no round is left out.
double log_ratio(const Work& work, const Work& other, const std::vector<std::size_t>& rounds, std::size_t left_out) {
    TurnSums a;
    TurnSums b;
    for (const std::size_t round : rounds) {
        if (round != left_out) {
            a.add(work.turns[round]);
            b.add(other.turns[round]);
        }
    }
    return std::log(a.seconds_per_step(work.rare_per_step) / b.seconds_per_step(other.rare_per_step));
}

// Half of the interval, in logarithms.
double reach_of(const Ratio& ratio) { return 0.5 * std::log(ratio.high / ratio.low); }

double steps_of(const Work& work, const std::vector<std::size_t>& rounds) {
    double steps = 0.0;
    for (const std::size_t round : rounds) {
        steps += work.turns[round].steps;
    }
    return steps;
}

// The rounds in which other processes took about as much of the cores as in most of them, or less.
std::vector<std::size_t> calm_rounds(const Work& work, const Work& other) {
    constexpr double kTolerated = 0.1;  // share of the cores
    const std::size_t count = std::min(work.turns.size(), other.turns.size());
    std::vector<double> taken;
    for (std::size_t i = 0; i < count; ++i) {
        taken.push_back(std::max(work.turns[i].others, other.turns[i].others));
    }
    std::vector<double> sorted = taken;
    std::ranges::sort(sorted);
    std::vector<std::size_t> calm;
    for (std::size_t i = 0; i < count; ++i) {
        if (taken[i] <= sorted[count / 2] + kTolerated) {
            calm.push_back(i);
        }
    }
    return calm;
}

}  // namespace

bool Ratio::is_sure() const {
    constexpr double kShareOfGain = 0.2;
    constexpr double kPoints = 0.05;
    return is_known() && high - low <= std::max(kShareOfGain * std::abs(gain()), kPoints);
}

Work work_of(const std::vector<Turn>& turns, const std::vector<run::StepLogEntry>& entries) {
    Work work{.turns = std::vector<TurnWork>(turns.size()), .rare_per_step = {}};
    for (std::size_t i = 0; i < kRare.size(); ++i) {
        work.rare_per_step[i] = times_per_step(entries, kRare[i]);
    }
    for (std::size_t i = 0; i < turns.size(); ++i) {
        work.turns[i].seconds = turns[i].end - turns[i].begin;
        work.turns[i].others = turns[i].others;
    }
    std::size_t first = 0;
    double step_began = entries.empty() ? 0.0 : entries.front().end - entries.front().total();
    double began = step_began;
    for (const run::StepLogEntry& entry : entries) {
        const auto kind = static_cast<std::size_t>(std::ranges::find(kRare, entry.of()) - kRare.begin());
        if (kind < kRare.size() && work.rare_per_step[kind] > 0.0) {
            share_among(turns, began, entry.end, first, [&](std::size_t turn, double seconds, double share) {
                work.turns[turn].rare[kind].seconds += seconds;
                work.turns[turn].rare[kind].times += share;
                work.turns[turn].seconds -= seconds;
            });
            step_began = step_began == began ? entry.end : step_began;
        } else if (entry.step > 0) {
            share_among(turns, step_began, entry.end, first,
                        [&](std::size_t turn, double /*seconds*/, double share) { work.turns[turn].steps += share; });
            step_began = entry.end;
        }
        began = entry.end;
    }
    return work;
}

// The error comes from the jackknife: each round is left out once.
Ratio ratio_of(const Work& work, double samples, const Work& other, double other_samples) {
    const std::vector<std::size_t> rounds = calm_rounds(work, other);
    if (rounds.size() < kFewestRounds || !(steps_of(work, rounds) > 0.0) || !(steps_of(other, rounds) > 0.0)) {
        return {};
    }
    const auto count = static_cast<double>(rounds.size());
    std::vector<double> without;
    double mean = 0.0;
    for (const std::size_t round : rounds) {
        without.push_back(log_ratio(work, other, rounds, round));
        mean += without.back() / count;
    }
    double squares = 0.0;
    for (const double value : without) {
        squares += (value - mean) * (value - mean);
    }
    const double value = std::exp(log_ratio(work, other, rounds, rounds.back() + 1)) * other_samples / samples;
    const double error = std::hypot(std::sqrt(squares * (count - 1.0) / count), kErrorOfProcesses,
                                    kErrorOfGain * std::abs(1.0 - value) / value);
    const boost::math::students_t student(count - 1.0);
    const double reach = error * boost::math::quantile(student, 0.5 + 0.5 * kConfidence);
    return {.value = value, .low = value * std::exp(-reach), .high = value * std::exp(reach), .rounds = rounds.size()};
}

// The weight of each is the inverse of its variance, by the logarithms of its interval. Both may have the same process
// as their baseline, whose error does not become less. If they differ by more than their errors, these are too small.
Ratio pooled(const Ratio& a, const Ratio& b) {
    if (!a.is_known() || !b.is_known()) {
        return a.is_known() ? a : b;
    }
    constexpr double kNormal = 1.96;  // standard errors of an interval of 95 %
    const double reach_a = reach_of(a);
    const double reach_b = reach_of(b);
    const double weight_a = reach_b * reach_b / (reach_a * reach_a + reach_b * reach_b);
    const double middle = weight_a * std::log(a.value) + (1.0 - weight_a) * std::log(b.value);
    const double disagreement = std::abs(std::log(a.value / b.value)) / (std::hypot(reach_a, reach_b) / kNormal);
    const double reach = std::max(reach_a * reach_b / std::hypot(reach_a, reach_b) * std::max(disagreement, 1.0),
                                  kNormal * kErrorOfProcesses);
    return {.value = std::exp(middle),
            .low = std::exp(middle - reach),
            .high = std::exp(middle + reach),
            .rounds = a.rounds + b.rounds};
}

Ratio quotient(const Ratio& a, const Ratio& b) {
    if (!a.is_known() || !b.is_known()) {
        return {};
    }
    const double middle = std::log(a.value / b.value);
    const double reach = std::hypot(reach_of(a), reach_of(b));
    return {.value = std::exp(middle),
            .low = std::exp(middle - reach),
            .high = std::exp(middle + reach),
            .rounds = std::min(a.rounds, b.rounds)};
}

}  // namespace sluice::diagnose
