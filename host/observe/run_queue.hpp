// How long a thread was ready to run but had no core.
#pragma once

#include <optional>
#include <string>

namespace sluice::observe {

// Reads /proc/thread-self/schedstat of the calling thread. Returns seconds since its start, or nullopt if the kernel
// does not count them.
std::optional<double> thread_queue_seconds();

// `schedstat`: nanoseconds on a core, nanoseconds in the run queue, and more. A kernel that counts nothing writes
// zeros.
std::optional<double> queue_seconds_in(const std::string& schedstat);

}  // namespace sluice::observe
