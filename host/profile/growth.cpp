#include "profile/growth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace sluice::profile {
namespace {

constexpr std::size_t kFewestPoints = 20;
constexpr double kShare = 0.01;      // of the memory,
constexpr double kInterval = 600.0;  // in so many seconds
constexpr std::size_t kParts = 5;
constexpr double kLeastRise = 1.0 / 3.0;  // of the mean rise from part to part
constexpr std::size_t kMostPoints = 600;  // for which all pairs are compared

double median_of(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

// Returns at most kMostPoints, evenly chosen.
std::vector<double> thinned(const std::vector<double>& values, std::size_t first) {
    const std::size_t count = values.size() - first;
    const std::size_t stride = (count + kMostPoints - 1) / kMostPoints;
    std::vector<double> chosen;
    for (std::size_t i = first; i < values.size(); i += stride) {
        chosen.push_back(values[i]);
    }
    return chosen;
}

// Returns 0 if no two points have different times.
double median_slope(const std::vector<double>& x, const std::vector<double>& y) {
    std::vector<double> slopes;
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t k = i + 1; k < x.size(); ++k) {
            if (x[k] > x[i]) {
                slopes.push_back((y[k] - y[i]) / (x[k] - x[i]));
            }
        }
    }
    return slopes.empty() ? 0.0 : median_of(std::move(slopes));
}

bool rises_steadily(const std::vector<double>& values) {
    std::array<double, kParts> medians{};
    for (std::size_t part = 0; part < kParts; ++part) {
        const auto at = [&](std::size_t end) {
            return values.begin() + static_cast<std::ptrdiff_t>(end * values.size() / kParts);
        };
        medians[part] = median_of({at(part), at(part + 1)});
    }
    const double mean_rise = (medians.back() - medians.front()) / static_cast<double>(kParts - 1);
    for (std::size_t part = 1; part < kParts; ++part) {
        const double rise = medians[part] - medians[part - 1];
        if (rise <= 0.0 || rise < kLeastRise * mean_rise) {
            return false;
        }
    }
    return true;
}

}  // namespace

std::optional<Growth> growth_of(const MemorySeries& series) {
    const std::size_t count = std::min(series.seconds.size(), series.bytes.size());
    if (count < 2 || series.seconds[count - 1] - series.seconds.front() < kShortestGrowth) {
        return std::nullopt;
    }
    const double middle = (series.seconds.front() + series.seconds[count - 1]) / 2.0;
    const auto first = static_cast<std::size_t>(
        std::distance(series.seconds.begin(), std::ranges::lower_bound(series.seconds, middle)));
    if (count - std::min(first, count) < kFewestPoints) {
        return std::nullopt;
    }
    const std::vector<double> seconds =
        thinned({series.seconds.begin(), series.seconds.begin() + static_cast<std::ptrdiff_t>(count)}, first);
    const std::vector<double> bytes =
        thinned({series.bytes.begin(), series.bytes.begin() + static_cast<std::ptrdiff_t>(count)}, first);
    Growth growth;
    growth.bytes_per_second = median_slope(seconds, bytes);
    growth.bytes = series.bytes[count - 1];
    growth.seconds = seconds.back() - seconds.front();
    if (growth.bytes_per_second * kInterval <= kShare * growth.bytes || !rises_steadily(bytes)) {
        return std::nullopt;
    }
    if (series.steps.size() >= count) {
        const double steps = series.steps[count - 1] - series.steps[first];
        const double passed = series.seconds[count - 1] - series.seconds[first];
        growth.bytes_per_step = steps > 0.0 ? growth.bytes_per_second * passed / steps : 0.0;
    }
    return growth;
}

}  // namespace sluice::profile
