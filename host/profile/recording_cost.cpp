#include "profile/recording_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "base/text/counted.hpp"

namespace sluice::profile {
namespace {

constexpr double kErrorOfMedian = 1.4826 * 1.2533;  // from the median of deviations, for normal noise

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

double error_of_median(const std::vector<double>& values) {
    const double middle = median(values);
    std::vector<double> deviations;
    std::ranges::transform(values, std::back_inserter(deviations),
                           [&](double value) { return std::abs(value - middle); });
    return kErrorOfMedian * median(deviations) / std::sqrt(static_cast<double>(values.size()));
}

}  // namespace

RecordingCost cost_in_turn(const std::vector<double>& with, const std::vector<double>& without) {
    std::vector<double> differences;
    std::ranges::transform(with, without, std::back_inserter(differences),
                           [](double recorded, double plain) { return recorded - plain; });
    return {.seconds = median(differences),
            .noise = error_of_median(differences),
            .step_seconds = median(without),
            .steps = static_cast<std::int64_t>(with.size())};
}

RecordingCost cost_before(const std::vector<double>& with, const std::vector<double>& without) {
    return {.seconds = median(with) - median(without),
            .noise = std::hypot(error_of_median(with), error_of_median(without)),
            .step_seconds = median(without),
            .steps = static_cast<std::int64_t>(std::min(with.size(), without.size())),
            .is_in_turn = false};
}

// A cost within the noise is no cost: only its bound is known.
std::string describe(const RecordingCost& cost) {
    const auto percent = [&](double seconds) { return 100.0 * seconds / std::max(cost.step_seconds, 1e-9); };
    const double bound = std::max(cost.seconds, 0.0) + 2.0 * cost.noise;
    const std::string steps =
        cost.is_in_turn ? fmt::format("by {} with and {} without", counted(cost.steps, "step"), cost.steps)
                        : fmt::format("by {} of the window and {} after it", counted(cost.steps, "step"), cost.steps);
    if (bound > cost.step_seconds && cost.seconds <= 2.0 * cost.noise) {
        return fmt::format("costs less than the {:.2g} ms by which steps differ, {}", 1e3 * bound, steps);
    }
    if (cost.seconds <= 2.0 * cost.noise) {
        return fmt::format("costs less than {:.2g} % of a step, {:.2g} ms, {}", percent(bound), 1e3 * bound, steps);
    }
    return fmt::format("costs {:.2g} % of a step, {:.2g} ms, give or take {:.2g} %, {}", percent(cost.seconds),
                       1e3 * cost.seconds, percent(cost.noise), steps);
}

}  // namespace sluice::profile
