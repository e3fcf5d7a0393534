// Trainings that run by turns, and what their steps say about each other. While one has its turn, the others are
// paused. The speed of a machine that others share changes slowly, so neighbouring turns find it alike.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "run/account/step_log.hpp"

namespace sluice::diagnose {

// The time during which a training was not paused, as now().
struct Turn {
    double begin = 0.0;
    double end = 0.0;
    double others = 0.0;  // share of the machine's cores that other processes, or other machines on its host, took
};

// What a training did in one turn. What other turns share counts in proportion to its time here.
struct TurnWork {
    double seconds = 0.0;  // of the turn, without those below
    double steps = 0.0;
    double others = 0.0;  // as in Turn
    // Evaluations and checkpoints, which come once in many steps.
    struct Rare {
        double seconds = 0.0;
        double times = 0.0;
    };
    std::array<Rare, 2> rare{};
};

// The work of all turns of a training.
struct Work {
    std::vector<TurnWork> turns;
    std::array<double, 2> rare_per_step{};  // how often each rare work comes
};

// Turns follow each other, and entries have no gaps. The first entry and the last may lie partly outside of the turns.
// Rare work that came less than three times counts as part of the steps.
Work work_of(const std::vector<Turn>& turns, const std::vector<run::StepLogEntry>& entries);

// The time that a sample takes in one training, over that in another, with its interval of 95 %.
struct Ratio {
    double value = 1.0;
    double low = 0.0;
    double high = 0.0;
    std::size_t rounds = 0;  // pairs of turns that it was measured in

    [[nodiscard]] bool is_known() const { return rounds > 0; }
    // The share of the other's time that this training saves; negative: it takes longer.
    [[nodiscard]] double gain() const { return 1.0 - value; }
    [[nodiscard]] double least_gain() const { return 1.0 - high; }
    [[nodiscard]] double most_gain() const { return 1.0 - low; }
    // True if the interval is at most as wide as the larger of a fifth of the gain and 5 points.
    [[nodiscard]] bool is_sure() const;
};

// Turn `i` of one follows or precedes turn `i` of the other at once. `samples`: of a step of each. Unknown if there are
// fewer than three pairs, or if one of them did no step. Pairs in which other processes took clearly more of the cores
// than in most are left out.
Ratio ratio_of(const Work& work, double samples, const Work& other, double other_samples);

// Both measurements of the same ratio together, which know it better than each.
Ratio pooled(const Ratio& a, const Ratio& b);
// The time of a sample in one training over that in another, if `a` and `b` relate them to the same third one.
Ratio quotient(const Ratio& a, const Ratio& b);

}  // namespace sluice::diagnose
