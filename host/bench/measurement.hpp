// The measurement of `host bench`: where the time of a training step goes, and how far each launch is from the limit of
// this machine. It trains on the first batch again and again, and saves nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/peaks/bandwidth.hpp"
#include "bench/peak_rates.hpp"
#include "bench/spread.hpp"
#include "bench/usage_watch.hpp"
#include "config/spec.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::bench {

// A part of the step: one launch, the optimizer, or the rest.
struct Part {
    std::string direction;  // "forward", "again", "backward", "update", "rest"
    std::string path;
    std::string types;
    std::string shapes;  // as LaunchWork defines them
    std::string kernel;
    std::string note;
    Spread seconds;
    std::string dtype{};  // of the operands of its arithmetic; empty: it has none
    double flops = 0.0;   // these three as LaunchWork defines them
    double done_flops = 0.0;
    double bytes = 0.0;
    double share = 0.0;          // of the sum of all parts
    double peak = 0.0;           // rate of arithmetic that it cannot exceed, in FLOP per second; 0: not known
    double limit_seconds = 0.0;  // the longer of the done FLOP / peak rate and bytes / bandwidth; 0: not known

    // Returns the rate of its arithmetic as a share of the peak; 0: not known.
    [[nodiscard]] double share_of_peak() const { return peak > 0.0 ? done_flops / (peak * seconds.median) : 0.0; }
};

// Returns how many times more arithmetic the layers define than their kernels do; 1 without arithmetic.
inline double gain_of(double flops, double done_flops) { return done_flops > 0.0 ? flops / done_flops : 1.0; }

struct Measurement {
    std::string pipeline;
    std::string device;
    int threads = 0;
    std::int64_t batch = 0;
    std::int64_t parameters = 0;
    std::size_t steps = 0;

    Spread step;                        // seconds, with the clock read only at both ends
    Spread timed_step;                  // seconds, with launch timing
    std::vector<Part> parts;            // by share, the largest first
    double outside_convolutions = 0.0;  // share of the parts without arithmetic

    double flops = 0.0;         // of a step, by definition of its layers
    double done_flops = 0.0;    // that its kernels really do
    double peak_seconds = 0.0;  // of the done arithmetic at the peak rates
    PeakRates peaks;
    std::vector<Bandwidth> bandwidth;
    double limit_seconds = 0.0;      // sum of the parts' limits
    double limit_sum_seconds = 0.0;  // same, with both terms of each part added up

    double start_up_seconds = 0.0;      // from the start of the process to the first step
    std::uint64_t resident_before = 0;  // bytes, with the data open, before planning
    std::uint64_t resident_peak = 0;    // bytes, after the steps, before other measurements
    std::uint64_t device_peak = 0;      // peak bytes of device memory that this process took; 0: host memory
    std::uint64_t device_taken = 0;     // bytes more in use than when it was opened, by any process, libraries included
    std::optional<Usage> usage;         // of the device during untimed steps
    std::uint64_t predicted_arena = 0;
    std::uint64_t predicted_weights = 0;  // total of plan::WeightBytes
};

struct Request {
    std::optional<std::size_t> steps;                  // nullopt: as many as take some seconds
    std::function<void(const std::string&)> progress;  // receives a text about the current work
};

Measurement measure(const config::PipelineSpec& spec, const registry::Registry& registry, const Request& request);

}  // namespace sluice::bench
