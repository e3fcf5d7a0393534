#include "bench/spread.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace sluice::bench {
namespace {

// Interpolates between the two nearest values.
double quantile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

}  // namespace

Spread spread_of(std::vector<double> values) {
    assert(!values.empty() && "a spread needs values");
    std::ranges::sort(values);
    return {.median = quantile(values, 0.5),
            .lower_quartile = quantile(values, 0.25),
            .upper_quartile = quantile(values, 0.75),
            .least = values.front(),
            .most = values.back()};
}

}  // namespace sluice::bench
