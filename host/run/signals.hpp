// Ctrl-C and SIGTERM: the first asks the run to save and stop, the second leaves at once.
#pragma once

namespace sluice::run {

void catch_signals();
// As if this signal had come.
void ask_to_stop(int number);
// The signal that asked to stop, 0 for none. Polled after every batch, in training and evaluation.
[[nodiscard]] int stop_signal();

}  // namespace sluice::run
