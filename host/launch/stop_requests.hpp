// Requests that the user makes by signals. Private to this folder.
#pragma once

#include <csignal>

#include "launch/signal_queue.hpp"

namespace sluice::launch {

// The first signal asks to save and stop; the second Ctrl-C or SIGTERM asks to leave at once.
class StopRequests {
public:
    enum class Request { none, stop, leave_at_once };

    // The next request; none if no signal is pending.
    Request next();
    // The signal that asked to stop; 0 before it.
    [[nodiscard]] int signal() const { return signal_; }
    // True if Ctrl-C or SIGTERM came: the next one leaves at once.
    [[nodiscard]] bool is_by_user() const { return is_by_user_; }
    [[nodiscard]] const SignalQueue& queue() const { return queue_; }

private:
    SignalQueue queue_;
    int signal_ = 0;
    bool is_by_user_ = false;
};

}  // namespace sluice::launch
