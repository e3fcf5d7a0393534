// Timeouts for waits of replicas for each other.
#pragma once

namespace sluice::run {

// Timeout in seconds for rare work, such as kernel tuning.
inline constexpr double kRareWorkTimeout = 300.0;
// For frequent work, the timeout is this many times the longest time so far.
inline constexpr double kTimeoutFactor = 4.0;

}  // namespace sluice::run
