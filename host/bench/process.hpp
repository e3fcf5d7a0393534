// What the kernel knows of this process.
#pragma once

#include <cstdint>

namespace sluice::bench {

// Seconds since the process was started, also across exec; the kernel counts in hundredths.
double seconds_since_start();
// Bytes of resident memory, now and at most so far.
std::uint64_t resident_bytes();
std::uint64_t peak_resident_bytes();

}  // namespace sluice::bench
