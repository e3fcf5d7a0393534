// CPU time in seconds, of the calling thread and of the process.
#pragma once

#include <ctime>

namespace sluice::observe {

inline double seconds_of_clock(clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

inline double thread_cpu_seconds() { return seconds_of_clock(CLOCK_THREAD_CPUTIME_ID); }
// Threads that have ended count too.
inline double process_cpu_seconds() { return seconds_of_clock(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace sluice::observe
