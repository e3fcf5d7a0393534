// When the processes have to have left, and why. Private to this folder.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "launch/process.hpp"

namespace sluice::launch {

// All functions take the time that it is now.
class Shutdown {
public:
    // The processes leave within kLeave after `since`, for that reason; process `saver` saves what was trained.
    // The first reason counts: false if there is one.
    bool begin(std::size_t saver, const std::string& reason, Clock::time_point since, Clock::time_point now);
    // The user does not wait for anything to be saved.
    void begin_at_once(Clock::time_point now);
    // The earliest deadline counts.
    void leave_within(Clock::duration time, Clock::time_point now);
    // Gives a process that was killed time to exit.
    void wait_on(Clock::time_point now);

    // After begin().
    [[nodiscard]] bool has_reason() const { return reason_.has_value(); }
    [[nodiscard]] bool is_at_once() const { return is_at_once_; }
    // True if the processes leave by themselves, as at the end of a training.
    [[nodiscard]] bool is_orderly() const { return !reason_ && !is_at_once_; }
    [[nodiscard]] bool is_saver(std::size_t number) const { return reason_ && number == saver_; }
    [[nodiscard]] bool is_overdue(Clock::time_point now) const { return leave_until_ && now >= *leave_until_; }
    // What a process gets: who saves, the milliseconds that are left, and the reason. After begin().
    [[nodiscard]] std::string message(Clock::time_point now) const;

private:
    std::optional<std::string> reason_;
    std::size_t saver_ = 0;
    Clock::time_point lost_at_;
    bool is_at_once_ = false;
    std::optional<Clock::time_point> leave_until_;
};

}  // namespace sluice::launch
