// Signals that ask a command to stop after what it is doing: those of users (Ctrl-C, SIGTERM), of a terminal that is
// closed (SIGHUP), of schedulers before a time limit (SIGUSR1, SIGUSR2) and of a limit of CPU time (SIGXCPU).
#pragma once

namespace sluice::run {

// The first of them asks to stop; the second SIGINT or SIGTERM exits at once. `text`: what the first does, without a
// line feed; it lives as long as the process.
void catch_signals(const char* text = "stopping after this step and saving");
// As if this signal had come.
void ask_to_stop(int number);
// The signal that asked to stop, 0 for none. Polled after every batch, in training and evaluation.
[[nodiscard]] int stop_signal();

}  // namespace sluice::run
