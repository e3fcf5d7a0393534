#pragma once

#include <numeric>
#include <vector>

namespace sluice::diagnose {

// 0 of no values.
inline double mean(const std::vector<double>& values) {
    return values.empty() ? 0.0
                          : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace sluice::diagnose
