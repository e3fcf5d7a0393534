#include "bench/peak_rates.hpp"

#include <algorithm>

namespace sluice::bench {

void PeakRates::raise(sluice_dtype operands, double rate) {
    for (PeakRate& known : rates_) {
        if (known.operands == operands) {
            known.rate = std::max(known.rate, rate);
            return;
        }
    }
    rates_.push_back({operands, rate});
}

double PeakRates::of(const plan::LaunchWork& work) const { return std::max(of(work.dtype), of(work.asked)); }

double PeakRates::of(sluice_dtype operands) const {
    for (const PeakRate& known : rates_) {
        if (known.operands == operands) {
            return known.rate;
        }
    }
    return 0.0;
}

}  // namespace sluice::bench
