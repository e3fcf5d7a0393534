// Divides the time of the training loop into stages without gaps: it is always in one stage.
//
//     const profile::LoopClock measured(&clock);                 // the calling thread works for the loop
//     {
//         const profile::StageScope stage(profile::Stage::upload);   // until the end of the scope
//     }
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "profile/stage.hpp"
#include "profile/stage_history.hpp"

namespace sluice::profile {

// One thread at a time uses a clock. A stuck replica's thread may still write while the loop reads: then figures are
// wrong, but nothing breaks.
class StageClock {
public:
    StageClock();

    // Ends the current stage, begins another, and returns the former one. A stage that has ended is a span of the loop
    // if a window is open.
    Stage enter(Stage stage);
    // Counts `seconds` of the current stage as those of another, once for each stage.
    void move(Stage to, double seconds);
    // Returns the seconds of each stage since the last take(). The current stage goes on.
    [[nodiscard]] StageSeconds take();
    // Makes take_until() possible. Call it after take().
    void keep_history();
    [[nodiscard]] bool keeps_history() const { return history_ != nullptr; }
    // As take(), but leaves the time after `time`, which must be in the past.
    [[nodiscard]] StageSeconds take_until(double time);
    // Time until which all was taken, as now().
    [[nodiscard]] double taken_at() const { return taken_at_; }
    // Number of times that a stage was entered so far.
    [[nodiscard]] std::uint64_t entered() const { return entered_.load(std::memory_order_relaxed); }

private:
    void add(Stage stage, double seconds);
    // Ends the part of the current stage before `time`.
    void close(double time);

    std::array<std::atomic<double>, kStages + 1> seconds_{};
    std::atomic<double> since_;
    std::atomic<Stage> stage_{Stage::other};
    std::atomic<std::uint64_t> entered_{0};
    std::atomic<Stage> moved_to_{Stage::other};
    std::atomic<double> moved_{0.0};  // these seconds of the current stage count as moved_to_
    double taken_at_;
    std::unique_ptr<StageHistory> history_;  // null: none is kept
};

// The clock of the loop for which the calling thread works; null: none.
[[nodiscard]] StageClock* loop_clock();

// Makes `clock`, which may be null, the loop_clock() of the calling thread until the end of a scope.
class LoopClock {
public:
    explicit LoopClock(StageClock* clock);
    ~LoopClock();
    LoopClock(const LoopClock&) = delete;
    LoopClock& operator=(const LoopClock&) = delete;

private:
    StageClock* before_;
};

// Ends the current stage of the calling thread's clock, if it has one, and begins another.
void enter_stage(Stage stage);

// A stage until the end of a scope, and then the former one.
class StageScope {
public:
    explicit StageScope(Stage stage)
        : clock_(loop_clock()), before_(clock_ != nullptr ? clock_->enter(stage) : stage) {}
    ~StageScope() {
        if (clock_ != nullptr) {
            clock_->enter(before_);
        }
    }
    StageScope(const StageScope&) = delete;
    StageScope& operator=(const StageScope&) = delete;

private:
    StageClock* clock_;
    Stage before_;
};

}  // namespace sluice::profile
