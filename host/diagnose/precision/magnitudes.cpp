#include "diagnose/precision/magnitudes.hpp"

#include <algorithm>
#include <cmath>

namespace sluice::diagnose {

void Magnitudes::add(std::span<const float> values) {
    for (const float value : values) {
        const double size = std::abs(static_cast<double>(value));
        if (!std::isfinite(size)) {
            ++not_finite;
        } else if (size > 0.0) {
            largest = std::max(largest, size);
            smallest = smallest == 0.0 ? size : std::min(smallest, size);
        }
    }
}

void Underflow::add(const std::vector<bool>& not_zero, std::span<const float> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (not_zero[i]) {
            ++counted;
            lost += values[i] == 0.0F ? 1 : 0;
        }
    }
}

}  // namespace sluice::diagnose
