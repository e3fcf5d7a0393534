#include "launch/noted_exits.hpp"

#include "base/error.hpp"

namespace sluice::launch {

// A process that lost another may report its code before the process that failed. The code of the failed one counts.
bool NotedExits::note_exit(int code) {
    if (code == 0) {
        return false;
    }
    if (first_code_ == 0) {
        first_code_ = code;
        return code < kSignalled;
    }
    if (first_code_ == static_cast<int>(Exit::replica_lost) && code < kSignalled) {
        first_code_ = code;
    }
    return false;
}

void NotedExits::note_signal(int signal) { signal_ = signal_ == 0 ? signal : signal_; }

void NotedExits::note_lost_replica() { is_any_lost_ = is_any_lost_ || first_code_ == 0 || was_stopped(); }

std::optional<int> NotedExits::failure() const {
    if (is_any_lost_) {
        return static_cast<int>(Exit::replica_lost);
    }
    // A process that got no signal itself cannot know the right code.
    if (was_stopped() && signal_ != 0) {
        return kSignalled + signal_;
    }
    return first_code_ != 0 ? std::optional(first_code_) : std::nullopt;
}

}  // namespace sluice::launch
