// Samples the usage of a device while steps run, on a separate thread.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "registry/objects/device.hpp"

namespace sluice::bench {

// Summary of all answers. -1: not known.
struct Usage {
    std::size_t answers = 0;
    double busy_share = -1.0;   // share of the time in which a kernel ran, 0 to 1: the median
    double power_watts = -1.0;  // the median
    double clock_hertz = -1.0;  // the median
    double celsius = -1.0;      // the most
    double used_bytes = -1.0;   // the most, by all processes
    std::string limit;          // what limited the clock in the last answer; empty: nothing, or not known
};

// `answers` must not be empty.
Usage summarize(const std::vector<sluice_usage_figures>& answers);

class UsageWatch {
public:
    // Does nothing if the device reports no usage. The device must outlive this object.
    explicit UsageWatch(const registry::Device& device);
    // Stops the thread, asks a last time and returns the summary; nullopt if the device reports no usage.
    std::optional<Usage> end();

private:
    bool ask();

    const registry::Device& device_;
    std::vector<sluice_usage_figures> answers_;  // owned by the thread until it stops
    std::mutex mutex_;
    std::condition_variable_any ended_;
    std::jthread thread_;  // last, so that it stops first
};

}  // namespace sluice::bench
