// Values of one figure of a run, by training step.
#pragma once

#include <string>
#include <vector>

namespace sluice::history {

struct Series {
    std::string name{};
    std::vector<double> steps{};   // increasing
    std::vector<double> values{};  // one for each step; may be NaN

    void add(double step, double value) {
        steps.push_back(step);
        values.push_back(value);
    }
    // Removes what is after this step: a run that was resumed trains those steps again.
    void cut_after(double step);
};

// Returns at most `most` points: the mean of each group of consecutive ones, at the step of its last point. Values that
// are NaN do not count, unless a group has no others.
Series thinned(const Series& series, std::size_t most);

}  // namespace sluice::history
