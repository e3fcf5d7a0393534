// The signals that the launcher handles, read as they come. Private to this folder.
#pragma once

#include <csignal>

namespace sluice::launch {

class SignalQueue {
public:
    // While it exists, only this queue gets stop_signals() and SIGCHLD.
    SignalQueue();
    ~SignalQueue();
    SignalQueue(const SignalQueue&) = delete;
    SignalQueue& operator=(const SignalQueue&) = delete;

    // File descriptor that is readable while a signal is pending.
    [[nodiscard]] int handle() const { return handle_; }
    // The signal mask as it was before; child processes get it back.
    [[nodiscard]] const sigset_t& before() const { return before_; }
    // The next pending signal; 0 if there is none.
    [[nodiscard]] int next() const;

private:
    int handle_ = -1;
    sigset_t before_{};
};

}  // namespace sluice::launch
