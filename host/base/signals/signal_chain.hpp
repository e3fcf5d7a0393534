// Passes a signal on to the handler that was installed before ours.
#pragma once

#include <csignal>

namespace sluice {

// Async-signal-safe. If `before` has no handler, it is restored, so that the fault recurs and the process fails as it
// would without us.
void call_previous_handler(const struct sigaction& before, int signal, siginfo_t* info, void* context);

}  // namespace sluice
