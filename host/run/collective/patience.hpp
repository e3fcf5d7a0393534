// How long replicas wait for each other.
#pragma once

namespace sluice::run {

// Seconds that a replica may be late in what is done rarely, such as measuring kernels.
inline constexpr double kLongPatience = 300.0;
// In what is done often a replica may take so many times the longest time of before.
inline constexpr double kSlower = 4.0;

}  // namespace sluice::run
