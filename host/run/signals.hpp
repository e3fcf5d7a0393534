// Ctrl-C and SIGTERM: the first asks to stop, the second leaves at once.
#pragma once

namespace sluice::run {

// `told`: what the first does, without a line feed; it lives as long as the process.
void catch_signals(const char* told = "stopping after this step and saving");
// As if this signal had come.
void ask_to_stop(int number);
// The signal that asked to stop, 0 for none. Polled after every batch, in training and evaluation.
[[nodiscard]] int stop_signal();

}  // namespace sluice::run
