// Stops a command after its current work if a signal asks for it; see base/stop_signals.hpp.
#pragma once

namespace sluice::run {

// Installs the handlers. The first signal asks to stop; a second SIGINT or SIGTERM exits at once. `text` is printed at
// the first signal; it has no line feed and must stay valid until the process exits.
void catch_signals(const char* text);
// Acts as if this signal had arrived: the first signal counts.
void ask_to_stop(int number);
// Returns the signal that asked to stop; 0: none. Training and evaluation poll it after every batch.
[[nodiscard]] int stop_signal();

}  // namespace sluice::run
