// The median of repeated measurements, and their spread.
#pragma once

#include <vector>

namespace sluice::bench {

struct Spread {
    double median = 0.0;
    double lower_quartile = 0.0;
    double upper_quartile = 0.0;
    double least = 0.0;
    double most = 0.0;
};

// `values` must not be empty.
Spread spread_of(std::vector<double> values);

}  // namespace sluice::bench
