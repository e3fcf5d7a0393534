#include "profile/stage_clock.hpp"

#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "profile/recorder.hpp"

namespace sluice::profile {
namespace {

thread_local StageClock* own_clock = nullptr;

}  // namespace

StageClock::StageClock() : since_(now()), taken_at_(since_) {}

// No other thread adds meanwhile, so loading and storing suffice.
void StageClock::add(Stage stage, double seconds) {
    std::atomic<double>& sum = seconds_[static_cast<std::size_t>(stage)];
    sum.store(sum.load(std::memory_order_relaxed) + seconds, std::memory_order_relaxed);
}

void StageClock::close(double time) {
    const Stage stage = stage_.load(std::memory_order_relaxed);
    const double since = since_.load(std::memory_order_relaxed);
    const double moved = std::min(moved_.load(std::memory_order_relaxed), time - since);
    add(stage, time - since - moved);
    if (moved > 0.0) {
        add(moved_to_.load(std::memory_order_relaxed), moved);
        moved_.store(0.0, std::memory_order_relaxed);
    }
    if (history_ != nullptr) {
        history_->add({stage, since, time, moved_to_.load(std::memory_order_relaxed), moved});
    }
    if (is_recording()) {
        add_to_loop({.begin = since, .end = time, .kind = SLUICE_SPAN_STAGE, .name = name_of(stage)});
    }
    since_.store(time, std::memory_order_relaxed);
}

Stage StageClock::enter(Stage stage) {
    const Stage before = stage_.load(std::memory_order_relaxed);
    if (before != stage) {
        close(now());
        stage_.store(stage, std::memory_order_relaxed);
        entered_.store(entered_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
    return before;
}

void StageClock::move(Stage to, double seconds) {
    moved_to_.store(to, std::memory_order_relaxed);
    moved_.store(std::max(seconds, 0.0), std::memory_order_relaxed);
}

StageSeconds StageClock::take() {
    const double time = now();
    close(time);
    taken_at_ = time;
    StageSeconds taken;
    for (std::size_t i = 0; i < seconds_.size(); ++i) {
        taken[static_cast<Stage>(i)] = seconds_[i].load(std::memory_order_relaxed);
        seconds_[i].store(0.0, std::memory_order_relaxed);  // exchange() would lock the bus
    }
    if (history_ != nullptr) {
        history_->clear();
    }
    return taken;
}

void StageClock::keep_history() { history_ = std::make_unique<StageHistory>(); }

StageSeconds StageClock::take_until(double time) {
    close(now());
    taken_at_ = time;
    const StageSeconds taken = history_->take(time);
    for (std::size_t i = 0; i < seconds_.size(); ++i) {
        add(static_cast<Stage>(i), -taken[static_cast<Stage>(i)]);
    }
    return taken;
}

StageClock* loop_clock() { return own_clock; }

LoopClock::LoopClock(StageClock* clock) : before_(std::exchange(own_clock, clock)) {}

LoopClock::~LoopClock() { own_clock = before_; }

void enter_stage(Stage stage) {
    if (own_clock != nullptr) {
        own_clock->enter(stage);
    }
}

}  // namespace sluice::profile
