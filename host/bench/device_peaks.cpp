#include "bench/device_peaks.hpp"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <optional>

#include "base/log.hpp"
#include "bench/device_bandwidth.hpp"
#include "bench/device_rate.hpp"
#include "profile/stage_clock.hpp"

namespace sluice::bench {
namespace {

// If a measurement fails, windows lack their limits, but the run goes on.
template <class Measure>
void try_to(const char* what, const Measure& measure) {
    try {
        measure();
    } catch (const std::exception& error) {
        log::warn(fmt::format("the peak rate of the device's {} is not known, so windows lack that limit: {}", what,
                              error.what()));
    }
}

run::DevicePeaks measure(const config::PipelineSpec& pipeline, const plan::Toolbox& tools, sluice_dtype operands,
                         int threads) {
    run::DevicePeaks peaks;
    const profile::LoopClock none(nullptr);  // the stages of these steps are no stages of the training
    try_to("arithmetic", [&] {
        PeakRates rates;
        DeviceRate rate(pipeline, tools, threads);
        rate.measure();
        rate.raise(rates);
        peaks.flop = rates.of(operands);
    });
    try_to("memory", [&] { peaks.bandwidth = measure_device_bandwidth(tools.device); });
    return peaks;
}

}  // namespace

run::TrainingReplicas::PeakMeter make_peak_meter(const config::PipelineSpec& pipeline, const std::string& policy,
                                                 int threads) {
    config::PipelineSpec spec = pipeline;
    if (!policy.empty()) {
        spec.precision = {policy, pipeline.precision.origin, {}};
    }
    return [spec, threads, known = std::make_shared<std::optional<run::DevicePeaks>>()](const plan::Toolbox& tools,
                                                                                        sluice_dtype operands) {
        if (!*known) {
            *known = measure(spec, tools, operands, threads);
        }
        return **known;
    };
}

}  // namespace sluice::bench
