// By when the processes have to exit, and why. Private to this folder.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "launch/messages.hpp"
#include "launch/process.hpp"

namespace sluice::launch {

// `now` is the current time in all functions.
class ExitDeadline {
public:
    // Requires all processes to exit within kExitTimeout after `since`. Only the first notice counts: returns false if
    // there is one. Its `time` is not read.
    bool begin(LostReplicaNotice notice, Clock::time_point since, Clock::time_point now);
    // Requires all processes to exit now, because the user does not wait for anything to be saved.
    void begin_at_once(Clock::time_point now);
    // Sets a deadline. The earliest one counts.
    void leave_within(Clock::duration time, Clock::time_point now);
    // Sets a new deadline, so that killed processes have time to exit.
    void extend(Clock::time_point now);

    // True after begin().
    [[nodiscard]] bool has_reason() const { return notice_.has_value(); }
    [[nodiscard]] bool is_at_once() const { return is_at_once_; }
    // True if the processes exit by themselves, as at the end of a training.
    [[nodiscard]] bool is_orderly() const { return !notice_ && !is_at_once_; }
    [[nodiscard]] bool is_saver(std::size_t rank) const { return notice_ && rank == notice_->saver; }
    [[nodiscard]] bool is_overdue(Clock::time_point now) const { return leave_until_ && now >= *leave_until_; }
    // The message for the processes. Call it after begin().
    [[nodiscard]] LostReplicaNotice notice(Clock::time_point now) const;

private:
    std::optional<LostReplicaNotice> notice_;
    Clock::time_point lost_at_;
    bool is_at_once_ = false;
    std::optional<Clock::time_point> leave_until_;
};

}  // namespace sluice::launch
