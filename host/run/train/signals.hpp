// Signals that ask a command to stop after its current work. They come from users (Ctrl-C, SIGTERM), a closed terminal
// (SIGHUP), schedulers before a time limit (SIGUSR1, SIGUSR2) and a limit of CPU time (SIGXCPU).
#pragma once

namespace sluice::run {

// Installs the handlers. The first signal asks to stop; a second SIGINT or SIGTERM exits at once. `text` is printed at
// the first signal; it has no line feed and must stay valid until the process exits.
void catch_signals(const char* text);
// Acts as if this signal had arrived.
void ask_to_stop(int number);
// Returns the signal that asked to stop; 0: none. Training and evaluation poll it after every batch.
[[nodiscard]] int stop_signal();

}  // namespace sluice::run
