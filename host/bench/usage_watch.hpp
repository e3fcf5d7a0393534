// How a device is used while steps run: it is asked again and again, on a thread of its own.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "registry/objects/objects.hpp"

namespace sluice::bench {

// Over all answers. -1: not known.
struct Usage {
    std::size_t answers = 0;
    double busy_share = -1.0;   // of the time in which any kernel ran, 0 to 1: the median
    double power_watts = -1.0;  // the median
    double clock_hertz = -1.0;  // likewise
    double celsius = -1.0;      // the most
    double used_bytes = -1.0;   // the most, of every process
    std::string limit;          // what kept the clock down, as last told; empty: nothing, or not known
};

// Of at least one answer.
Usage summed_up(const std::vector<sluice_usage_figures>& answers);

class UsageWatch {
public:
    // Does nothing where the device does not tell; it outlives this.
    explicit UsageWatch(const registry::Device& device);
    // What was told until now, when it is asked for the last time. Nothing where the device does not tell.
    std::optional<Usage> end();

private:
    bool ask();

    const registry::Device& device_;
    std::vector<sluice_usage_figures> answers_;  // the thread's own until it ends
    std::mutex mutex_;
    std::condition_variable_any ended_;
    std::jthread thread_;  // last: it ends first
};

}  // namespace sluice::bench
