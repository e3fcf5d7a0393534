#include "check/numerics/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice::check {
namespace {

// The distance is infinite if one of the two is NaN, which is never right.
double distance(double found, double right) {
    if (found == right) {
        return 0.0;  // infinities too
    }
    const double apart = std::abs(found - right);
    return std::isnan(apart) ? std::numeric_limits<double>::infinity() : apart;
}

}  // namespace

double scale_of(const Numbers& numbers) {
    double scale = 1.0;
    for (const double number : numbers) {
        if (std::isfinite(number)) {
            scale = std::max(scale, std::abs(number));
        }
    }
    return scale;
}

std::optional<std::string> difference(const std::string& what, const sluice_tensor_spec& spec, const Numbers& found,
                                      const Numbers& right, double tolerance) {
    double largest = -1.0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
        if (const double apart = distance(found[i], right[i]); apart > largest) {
            largest = apart;
            at = i;
        }
    }
    const double allowed = tolerance * scale_of(right);
    if (largest <= allowed) {
        return std::nullopt;
    }
    return fmt::format("{}: largest difference {:.3g} at {}: found {:.9g}, expected {:.9g}, allowed {:.2g}", what,
                       largest, place_text(spec, at), found[at], right[at], allowed);
}

}  // namespace sluice::check
