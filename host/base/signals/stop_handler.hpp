// Handlers of the stop signals: a command polls whether to stop after its current work.
#pragma once

namespace sluice {

// Installs the handlers. The first signal asks to stop; a second SIGINT or SIGTERM exits at once. `text` is printed at
// the first signal; it has no line feed and must stay valid until the process exits.
void catch_stop_signals(const char* text);
// Acts as if this signal had arrived: the first signal counts.
void ask_to_stop(int number);
// Returns the signal that asked to stop; 0: none. Training and evaluation poll it after every batch.
[[nodiscard]] int stop_signal();

}  // namespace sluice
