// The signals that ask the program to stop after its current work. They come from users (Ctrl-C, SIGTERM), a closed
// terminal (SIGHUP), schedulers before a time limit (SIGUSR1, SIGUSR2) and a limit of CPU time (SIGXCPU).
#pragma once

#include <vector>

namespace sluice {

// Returns all of them; not SIGHUP if it is ignored: nohup ignores it, and that stays.
std::vector<int> stop_signals();
// True for Ctrl-C and SIGTERM, of which a second one exits at once. Schedulers send the other signals more than once.
// Async-signal-safe.
bool is_of_user(int stop_signal);

}  // namespace sluice
