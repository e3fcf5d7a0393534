// A handler of a signal that leaves to the one before it what is not its own.
#pragma once

#include <csignal>

namespace sluice {

// Async-signal-safe. With no handler before, what faulted does so again, and ends as if we were not there.
void pass_on(const struct sigaction& before, int signal, siginfo_t* info, void* context);

}  // namespace sluice
