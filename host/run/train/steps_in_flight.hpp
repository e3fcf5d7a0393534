// Steps on the devices whose results are not known yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "run/checkpoint/progress.hpp"

namespace sluice::run {

struct StepInFlight {
    std::int64_t epoch;         // from 1
    std::int64_t step;          // from 1
    std::uint64_t batch_count;  // batches
    std::uint64_t samples;
};

class StepsInFlight {
public:
    void add(const StepInFlight& step) { steps_.push_back(step); }
    [[nodiscard]] std::size_t count() const { return steps_.size(); }
    // Removes and returns the oldest step. There must be one.
    StepInFlight take_oldest();
    // Returns the position of the run before these steps.
    [[nodiscard]] Progress position_before(Progress progress) const;

private:
    std::vector<StepInFlight> steps_;  // the oldest first
};

}  // namespace sluice::run
