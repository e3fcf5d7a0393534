// Means of series that are measured in one run, their uncertainty, and what two of them say about each other.
#pragma once

#include <limits>
#include <vector>

namespace sluice::compare {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// A mean with the uncertainty of one run.
struct Estimate {
    double mean = kUnknown;   // NaN: the run lacks this figure
    double error = kUnknown;  // standard error of the mean; NaN: unknown
    double freedom = 0.0;     // degrees of freedom of `error`

    [[nodiscard]] bool is_known() const;
    [[nodiscard]] bool has_error() const;
};

// An interval of 95 %. If the error is unknown, all three are the value.
struct Interval {
    double value = 0.0;
    double low = 0.0;
    double high = 0.0;
};

struct Contrast {
    Interval difference{};  // b - a
    Interval ratio{};       // b / a; NaN unless both are positive
    double chance = 1.0;    // that equal runs differ by so much or more; 1 if an error is unknown
};

// Estimates the mean of values in the order in which they were measured. Neighbours may depend on each other, as on a
// machine that is slow for a while: the values are averaged in blocks, and the error is that of the blocks, corrected
// for what they still have in common. NaNs do not count. `run_spread` is the relative standard deviation between equal
// runs, which adds to the error.
Estimate estimate(const std::vector<double>& values, double run_spread);

// The last of some values that still change, such as the scores of evaluations. Its error is their scatter around the
// line through their neighbours; unknown for fewer than three values.
Estimate estimate_last(const std::vector<double>& values);

Interval interval_of(const Estimate& estimate);
Contrast contrast(const Estimate& a, const Estimate& b);

}  // namespace sluice::compare
