// Timeouts for waits of replicas for each other, in seconds.
#pragma once

#include <cstdint>

#include "config/spec.hpp"

namespace sluice::run {

// For rare work, such as writing a checkpoint.
inline constexpr double kRareWorkTimeout = 300.0;
// For kernel tuning, which takes minutes for a large model on a slow machine.
inline constexpr double kTuningTimeout = 1800.0;
// For frequent work, the timeout is this many times the longest time so far.
inline constexpr double kTimeoutFactor = 4.0;

// With several processes, a process gives up its input after this many times data.stall_seconds.
inline constexpr std::int64_t kMostStalls = 4;
// Returns the timeout of the other processes meanwhile.
inline double input_timeout(const config::DataSpec& data) {
    return data.stall_seconds > 0.0 ? static_cast<double>(kMostStalls) * data.stall_seconds : kRareWorkTimeout;
}

}  // namespace sluice::run
