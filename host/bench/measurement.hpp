// What `host bench` finds out: where the time of a training step goes, and how far each launch is from what this
// machine can do. Nothing is trained for good: the first batch is used again and again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/bandwidth.hpp"
#include "bench/convolution_rate.hpp"
#include "bench/spread.hpp"
#include "bench/usage_watch.hpp"
#include "config/spec.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::bench {

// A part of the step: one launch, the optimizer, or what is left.
struct Part {
    std::string direction;  // "forward", "again", "backward", "update", "rest"
    std::string path;
    std::string types;
    std::string shapes;  // as LaunchWork has them
    std::string kernel;
    std::string note;
    Spread seconds;
    double flops = 0.0;
    double bytes = 0.0;          // as LaunchWork defines them
    double share = 0.0;          // of the sum of all parts
    double limit_seconds = 0.0;  // the longer of FLOP over the best rate and bytes over bandwidth; 0: not known
};

struct Measurement {
    std::string pipeline;
    std::string device;
    int threads = 0;
    std::int64_t batch = 0;
    std::int64_t parameters = 0;
    std::size_t steps = 0;

    Spread step;                        // seconds, nothing read but the clock at both ends
    Spread timed_step;                  // seconds, with the clock read after every launch
    std::vector<Part> parts;            // by share, the largest first
    double outside_convolutions = 0.0;  // share of the parts without arithmetic

    ArithmeticRates rates{};
    std::vector<Bandwidth> bandwidth;
    double limit_seconds = 0.0;      // sum of the parts' limits
    double limit_sum_seconds = 0.0;  // the same with both terms of each part added up

    double start_up_seconds = 0.0;      // from the start of the process to the first step
    std::uint64_t resident_before = 0;  // bytes, with the data open and nothing planned
    std::uint64_t resident_peak = 0;    // after steps, before anything else was measured
    std::uint64_t device_peak = 0;      // the most that we took of a device's own memory; 0 where it is the host's
    std::uint64_t device_taken = 0;  // of it in use more than when it was opened, by anyone: the libraries' code, too
    std::optional<Usage> usage;      // of the device, while steps followed each other
    std::uint64_t predicted_arena = 0;
    std::uint64_t predicted_weights = 0;  // all that plan::WeightBytes has
};

struct Request {
    std::optional<std::size_t> steps;                  // nothing: as many as take some seconds
    std::function<void(const std::string&)> progress;  // is told what goes on
};

Measurement measure(const config::PipelineSpec& spec, const registry::Registry& registry, const Request& request);

}  // namespace sluice::bench
