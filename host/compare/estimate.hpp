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
    bool is_lost = false;     // the run's last value is no number any more, as after it has diverged

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

// How a block of consecutive values becomes one value.
enum class Centre {
    mean,
    middle,  // the mean of the middle half, on which rare interruptions have no effect
};

// Estimates the mean of values in the order in which they were measured. A machine that other programs share is slower
// for a while, and such times are as long as a run: the error of the mean does not fall with the number of values. So
// the values are averaged in 8 blocks, of which only 4 count as independent, or fewer if neighbours are alike. NaNs do
// not count. `run_error` is the standard deviation between equal runs on a machine that is else idle; it adds to the
// error.
Estimate estimate(const std::vector<double>& values, double run_error, Centre centre = Centre::mean);

// The last of some values that still change, such as the scores of evaluations. Its error is their scatter around the
// line through their neighbours; unknown for fewer than three values, or if they do not scatter.
Estimate estimate_last(const std::vector<double>& values);

Interval interval_of(const Estimate& estimate);
Contrast contrast(const Estimate& a, const Estimate& b);

}  // namespace sluice::compare
