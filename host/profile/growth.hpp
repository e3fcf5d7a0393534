// Decides whether the memory of a run grows slowly, from its size once a second.
#pragma once

#include <optional>
#include <vector>

namespace sluice::profile {

inline constexpr double kShortestGrowth = 120.0;  // seconds of a run in which a growth can be seen

struct MemorySeries {
    std::vector<double> seconds;  // increasing
    std::vector<double> bytes;
    std::vector<double> steps;  // training step at that time; may be empty
};

struct Growth {
    double bytes_per_second = 0.0;  // the median slope of all pairs of points (Theil-Sen)
    double bytes_per_step = 0.0;    // 0: steps are not known
    double bytes = 0.0;             // resident at the end
    double seconds = 0.0;           // that the slope is over

    [[nodiscard]] double bytes_per_hour() const { return 3600.0 * bytes_per_second; }
};

// Looks at the second half of the run, since caches and pools fill in the first one. Returns the growth if all of these
// hold, and else nothing:
// - The run is at least two minutes long, and that half has at least 20 points.
// - The slope is more than 1 % of the memory in 10 minutes.
// - The half is cut into five parts, and the median of each is above that of the part before, by at least a third of
//   the mean rise. So neither a single step nor a curve that flattens counts.
std::optional<Growth> growth_of(const MemorySeries& series);

}  // namespace sluice::profile
