// The signals that the launcher handles, read as they come. Private to this folder.
#pragma once

#include <csignal>

namespace sluice::launch {

class SignalQueue {
public:
    // While it exists, SIGINT, SIGTERM, SIGHUP (unless ignored), SIGUSR1, SIGUSR2 and SIGCHLD come here alone.
    SignalQueue();
    ~SignalQueue();
    SignalQueue(const SignalQueue&) = delete;
    SignalQueue& operator=(const SignalQueue&) = delete;

    // Readable while there is a next one.
    [[nodiscard]] int handle() const { return handle_; }
    // The mask that there was, for a process that is started.
    [[nodiscard]] const sigset_t& before() const { return before_; }
    // The next one; 0 where none has come.
    [[nodiscard]] int next() const;

private:
    int handle_ = -1;
    sigset_t before_{};
};

}  // namespace sluice::launch
