#include "launch/stop_requests.hpp"

#include <utility>

#include "base/signals/stop_signals.hpp"

namespace sluice::launch {

StopRequests::Request StopRequests::next() {
    for (int signal = queue_.next(); signal != 0; signal = queue_.next()) {
        if (signal == SIGCHLD) {  // it only ends a wait
            continue;
        }
        if (is_of_user(signal) && std::exchange(is_by_user_, true)) {
            return Request::leave_at_once;
        }
        if (signal_ == 0) {
            signal_ = signal;
            return Request::stop;
        }
    }
    return Request::none;
}

}  // namespace sluice::launch
