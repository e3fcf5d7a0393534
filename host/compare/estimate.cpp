#include "compare/estimate.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace sluice::compare {
namespace {

constexpr double kConfidence = 0.95;
constexpr std::size_t kBlocks = 8;
constexpr double kMostIndependent = 4.0;  // blocks
constexpr std::size_t kFewest = 4;        // values from which an error can be estimated
constexpr double kMostCorrelation = 0.9;  // largest correlation of neighbouring blocks that is assumed
constexpr double kFreedomOfRuns = 20.0;   // degrees of freedom of the measured error between runs

double mean_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Sorts the values.
double middle_of(std::vector<double>& values) {
    std::ranges::sort(values);
    const std::size_t cut = values.size() / 4;
    return mean_of(
        {values.begin() + static_cast<std::ptrdiff_t>(cut), values.end() - static_cast<std::ptrdiff_t>(cut)});
}

// Centres of consecutive groups, whose sizes differ by one at most.
std::vector<double> blocks_of(const std::vector<double>& values, Centre centre) {
    const std::size_t count = std::min(kBlocks, values.size());
    std::vector<double> centres;
    for (std::size_t block = 0; block < count; ++block) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(block * values.size() / count);
        const auto end = values.begin() + static_cast<std::ptrdiff_t>((block + 1) * values.size() / count);
        std::vector<double> group(begin, end);
        centres.push_back(centre == Centre::mean ? mean_of(group) : middle_of(group));
    }
    return centres;
}

// Sum of the products of deviations from the mean, `lag` places apart.
double products(const std::vector<double>& values, double mean, std::size_t lag) {
    double sum = 0.0;
    for (std::size_t i = lag; i < values.size(); ++i) {
        sum += (values[i] - mean) * (values[i - lag] - mean);
    }
    return sum;
}

boost::math::students_t student(double freedom) { return boost::math::students_t(std::max(1.0, freedom)); }

double reach(double error, double freedom) {
    return error > 0.0 ? error * boost::math::quantile(student(freedom), 0.5 + 0.5 * kConfidence) : 0.0;
}

Interval around(double value, double reach) { return {.value = value, .low = value - reach, .high = value + reach}; }

// Freedom of the sum of two variances, after Welch and Satterthwaite.
double joint_freedom(double variance_a, double freedom_a, double variance_b, double freedom_b) {
    const double sum = variance_a + variance_b;
    const double parts =
        variance_a * variance_a / std::max(1.0, freedom_a) + variance_b * variance_b / std::max(1.0, freedom_b);
    return parts > 0.0 ? sum * sum / parts : 1.0;
}

}  // namespace

bool Estimate::is_known() const { return !std::isnan(mean); }
bool Estimate::has_error() const { return is_known() && !std::isnan(error); }

Estimate estimate(const std::vector<double>& values, double run_error, Centre centre) {
    std::vector<double> known;
    std::ranges::copy_if(values, std::back_inserter(known), [](double value) { return !std::isnan(value); });
    if (known.empty()) {
        return {};
    }
    const std::vector<double> blocks = blocks_of(known, centre);
    const double mean = mean_of(blocks);
    Estimate result{.mean = centre == Centre::mean ? mean_of(known) : mean};
    if (known.size() < kFewest) {
        return result;
    }
    const auto count = static_cast<double>(blocks.size());
    const double squares = products(blocks, mean, 0);
    // The estimated correlation is too small by about 1 / count.
    const double correlation =
        squares > 0.0 ? std::clamp(products(blocks, mean, 1) / squares + 1.0 / count, 0.0, kMostCorrelation) : 0.0;
    const double independent = std::min(kMostIndependent, count * (1.0 - correlation) / (1.0 + correlation));
    const double within = squares / (count - 1.0) / independent;
    const double between = run_error * run_error;
    if (within + between == 0.0) {
        return result;  // as a rounded value: nothing is known of its error
    }
    result.error = std::sqrt(within + between);
    result.freedom = joint_freedom(within, count - 1.0, between, kFreedomOfRuns);
    return result;
}

Estimate estimate_last(const std::vector<double>& values) {
    constexpr std::size_t kRecent = 8;
    std::vector<double> known;
    std::ranges::copy_if(values, std::back_inserter(known), [](double value) { return !std::isnan(value); });
    if (known.empty()) {
        return {};
    }
    Estimate result{.mean = known.back(), .is_lost = std::isnan(values.back())};
    const std::size_t first = known.size() - std::min(known.size(), kRecent);
    double squares = 0.0;
    double count = 0.0;
    for (std::size_t i = first + 2; i < known.size(); ++i) {
        const double bend = known[i] - 2.0 * known[i - 1] + known[i - 2];
        squares += bend * bend;
        count += 1.0;
    }
    if (squares > 0.0) {
        constexpr double kVarianceOfBend = 6.0;  // 1 + 4 + 1, in variances of one value
        result.error = std::sqrt(squares / count / kVarianceOfBend);
        result.freedom = count;
    }
    return result;
}

Interval interval_of(const Estimate& estimate) {
    return around(estimate.mean, estimate.has_error() ? reach(estimate.error, estimate.freedom) : 0.0);
}

Contrast contrast(const Estimate& a, const Estimate& b) {
    const double difference = b.mean - a.mean;
    const bool has_ratio = a.mean > 0.0 && b.mean > 0.0;
    const double ratio = has_ratio ? b.mean / a.mean : kUnknown;
    Contrast result{.difference = around(difference, 0.0), .ratio = around(ratio, 0.0)};
    if (!a.has_error() || !b.has_error()) {
        return result;
    }
    const double variance_a = a.error * a.error;
    const double variance_b = b.error * b.error;
    const double error = std::sqrt(variance_a + variance_b);
    const double freedom = joint_freedom(variance_a, a.freedom, variance_b, b.freedom);
    result.difference = around(difference, reach(error, freedom));
    if (error > 0.0) {
        result.chance = 2.0 * boost::math::cdf(boost::math::complement(student(freedom), std::abs(difference) / error));
    } else {
        result.chance = difference == 0.0 ? 1.0 : 0.0;
    }
    if (has_ratio) {
        const double relative_a = variance_a / (a.mean * a.mean);
        const double relative_b = variance_b / (b.mean * b.mean);
        const double factor = std::exp(
            reach(std::sqrt(relative_a + relative_b), joint_freedom(relative_a, a.freedom, relative_b, b.freedom)));
        result.ratio = {.value = ratio, .low = ratio / factor, .high = ratio * factor};
    }
    return result;
}

}  // namespace sluice::compare
