#include "weights.hpp"

#include <cmath>
#include <cstddef>

#include "sluice/sdk/guard.hpp"

namespace sluice::records {

bool is_weight(double number) { return std::isfinite(number) && number >= 0.0; }

void refuse_weight(double number, const std::string& place) {
    throw sdk::Failure(SLUICE_BAD_SAMPLE,
                       place + " is " + std::to_string(number) + "; a weight is a number of at least 0");
}

void fill_unknown(std::span<double> weights) {
    double mean = 0.0;
    std::size_t known = 0;
    for (const double weight : weights) {
        if (!std::isnan(weight)) {
            mean += (weight - mean) / static_cast<double>(++known);
        }
    }
    for (double& weight : weights) {
        weight = std::isnan(weight) ? (known == 0 ? 1.0 : mean) : weight;
    }
}

}  // namespace sluice::records
