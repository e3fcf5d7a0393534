// What recording a window costs, from the times of steps with it and without.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::profile {

struct RecordingCost {
    double seconds = 0.0;       // of a step, for recording; noise can make it negative
    double noise = 0.0;         // standard error of `seconds`
    double step_seconds = 0.0;  // of a step without recording
    std::int64_t steps = 0;     // with recording, and as many without
    bool is_in_turn = true;     // these steps ran in turn; else those of the window came first

    friend bool operator==(const RecordingCost&, const RecordingCost&) = default;
};

// Of steps that ran in turn: each pair has the same place in both lists, which have equal sizes above 0.
RecordingCost cost_in_turn(const std::vector<double>& with, const std::vector<double>& without);
// Of steps that were recorded, and later ones that were not. Neither list is empty.
RecordingCost cost_before(const std::vector<double>& with, const std::vector<double>& without);

// "costs 0.8 % of a step, 0.41 ms, give or take 0.3 %, by 20 steps with and 20 without"
std::string describe(const RecordingCost& cost);

}  // namespace sluice::profile
