#include "base/peaks/machine_peaks.hpp"

#include <map>
#include <mutex>
#include <tuple>

#include "base/peaks/peak_rate.hpp"

namespace sluice {
namespace {

// Replicas with different numbers of threads have different peaks.
struct KeptPeaks {
    std::mutex mutex;  // also held while measuring, since two measurements would disturb each other
    std::map<std::tuple<std::uint32_t, int, int>, double> rates;  // by threads, code and bits of the type
    std::map<std::uint32_t, std::vector<Bandwidth>> bandwidth;    // by threads
};

KeptPeaks& kept_peaks() {
    static KeptPeaks kept;
    return kept;
}

}  // namespace

double machine_peak_rate(const sluice_threads& threads, sluice_dtype operands) {
    KeptPeaks& kept = kept_peaks();
    const std::lock_guard lock(kept.mutex);
    double& rate = kept.rates[{threads.count, operands.code, operands.bits}];
    if (rate == 0.0) {
        rate = measure_peak_rate(threads, operands);
    }
    return rate;
}

std::vector<Bandwidth> machine_bandwidth(const sluice_threads& threads) {
    KeptPeaks& kept = kept_peaks();
    const std::lock_guard lock(kept.mutex);
    std::vector<Bandwidth>& bandwidth = kept.bandwidth[threads.count];
    if (bandwidth.empty()) {
        bandwidth = measure_bandwidth(threads, BandwidthEffort::quick);
    }
    return bandwidth;
}

}  // namespace sluice
