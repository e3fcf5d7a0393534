// Figures of this process from the Linux kernel.
#pragma once

#include <cstdint>

namespace sluice::profile {

// Returns the seconds since the process started, which exec does not reset. The kernel counts in hundredths.
double seconds_since_start();
// Return the bytes of resident memory: current, and peak so far.
std::uint64_t resident_bytes();
std::uint64_t peak_resident_bytes();

}  // namespace sluice::profile
