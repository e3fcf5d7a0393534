// Lanes of observers: one that the run waits for, and one that it does not wait for. The observers are tables in this
// file, without a library.
#include "observe/lane.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <utility>

namespace sluice::observe {
namespace {

using namespace std::chrono_literals;

struct Handled {
    std::atomic<int> steps{0};
    std::atomic<int> usages{0};
    std::atomic<int> profiles{0};
    std::atomic<int> milliseconds{0};  // of each event
};

Handled& handled() {
    static Handled one;
    return one;
}

const sluice_observer kCounting = {
    [](const sluice_host*, const sluice_value*, void** self, sluice_error*) noexcept -> sluice_status {
        *self = nullptr;
        return SLUICE_OK;
    },
    [](void*) noexcept {},
    [](void*) noexcept -> std::uint64_t {
        return 1U << SLUICE_EVENT_STEP | 1U << SLUICE_EVENT_USAGE | 1U << SLUICE_EVENT_PROFILE |
               1U << SLUICE_EVENT_RUN_END;
    },
    [](void*, const sluice_event* event, sluice_error*) noexcept -> sluice_status {
        std::this_thread::sleep_for(std::chrono::milliseconds(handled().milliseconds));
        handled().steps += event->kind == SLUICE_EVENT_STEP ? 1 : 0;
        handled().usages += event->kind == SLUICE_EVENT_USAGE ? 1 : 0;
        handled().profiles += event->kind == SLUICE_EVENT_PROFILE ? 1 : 0;
        return SLUICE_OK;
    }};

const sluice_observer kQuick = {
    [](const sluice_host*, const sluice_value*, void** self, sluice_error*) noexcept -> sluice_status {
        *self = nullptr;
        return SLUICE_OK;
    },
    [](void*) noexcept {}, [](void*) noexcept -> std::uint64_t { return 1U << SLUICE_EVENT_STEP; },
    [](void*, const sluice_event*, sluice_error*) noexcept -> sluice_status {
        std::this_thread::sleep_for(1ms);
        return SLUICE_OK;
    }};

class LaneTest : public testing::Test {
protected:
    LaneTest() {
        manifest_.kind = registry::Kind::observer;
        manifest_.provides = "counting";
        quick_manifest_.kind = registry::Kind::observer;
        quick_manifest_.provides = "quick";
        handled().steps = handled().usages = handled().profiles = 0;
        handled().milliseconds = 2;
    }

    Lane lane(bool holds) {
        std::vector<registry::Observer> observers;
        observers.emplace_back(component_, Table{}, Origin{});
        return {std::move(observers), holds, ObserverTimeouts{}, pace_};
    }
    static StepEvent step(std::int64_t number) { return {.epoch = 1, .step = number}; }
    static Event event(std::uint32_t kind) {
        Event made;
        made.kind = kind;
        return made;
    }

    registry::ComponentManifest manifest_;
    registry::PluginManifest plugin_;
    registry::Component component_{&manifest_, &plugin_, nullptr, &kCounting, nullptr, "counting (test.counting 1.0)"};
    registry::ComponentManifest quick_manifest_;
    registry::Component quick_{&quick_manifest_, &plugin_, nullptr, &kQuick, nullptr, "quick (test.quick 1.0)"};
    std::shared_ptr<RunPace> pace_ = std::make_shared<RunPace>();
};

TEST_F(LaneTest, emitting_does_not_wait_for_observers) {
    Lane free = lane(false);
    handled().milliseconds = 200;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 3; ++i) {
        free.emit(StepEvent{});
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 200ms);
    EXPECT_LT(handled().steps, 3);
    EXPECT_TRUE(free.flush(std::chrono::steady_clock::now() + 10s));
    EXPECT_EQ(handled().steps, 3);
}

TEST_F(LaneTest, a_held_lane_has_handled_each_event_when_emit_returns) {
    Lane held = lane(true);
    for (int i = 1; i <= 20; ++i) {
        held.emit(StepEvent{});
        EXPECT_EQ(handled().steps, i);
    }
    held.emit(event(SLUICE_EVENT_PROFILE));
    EXPECT_EQ(handled().profiles, 1);
}

TEST_F(LaneTest, a_held_lane_drops_nothing) {
    testing::internal::CaptureStderr();
    {
        Lane held = lane(true);
        handled().milliseconds = 0;
        for (int i = 0; i < 3000; ++i) {
            held.emit(StepEvent{});
        }
    }
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(handled().steps, 3000);
    EXPECT_EQ(log.find("dropped"), std::string::npos) << log;
}

TEST_F(LaneTest, the_warning_of_dropped_events_counts_them_by_kind) {
    testing::internal::CaptureStderr();
    {
        Lane free = lane(false);
        handled().milliseconds = 300;
        free.emit(event(SLUICE_EVENT_RUN_END));  // urgent: the thread is in the observer from now on
        std::this_thread::sleep_for(50ms);
        for (int i = 0; i < 1100; ++i) {
            free.emit(StepEvent{});
        }
        free.emit(event(SLUICE_EVENT_USAGE));
        free.emit(event(SLUICE_EVENT_USAGE));
        free.emit(event(SLUICE_EVENT_PROFILE));
        handled().milliseconds = 0;
    }
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(handled().steps, 1023);  // the event in the observer keeps its place
    EXPECT_EQ(handled().usages, 0);
    EXPECT_NE(log.find("W 77 step events and 2 usage events and 1 profile were dropped because observers were slower "
                       "than the run; the slowest was 'counting'"),
              std::string::npos)
        << log;
}

TEST_F(LaneTest, a_slow_observer_is_reported_at_the_end) {
    testing::internal::CaptureStderr();
    {
        Lane held = lane(true);
        handled().milliseconds = 5;
        pace_->begin(0);
        for (int i = 1; i <= 250; ++i) {
            pace_->advance(i, 1);
            held.emit(step(i));
        }
        pace_->end();
    }
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_NE(log.find("W observer 'counting' takes "), std::string::npos) << log;
    EXPECT_NE(log.find("the run waits for it, because it has hold = true"), std::string::npos) << log;
}

// The run is as fast as without the observer, but for the flush.
TEST_F(LaneTest, a_flush_of_a_free_lane_is_reported_as_a_wait_of_the_run) {
    testing::internal::CaptureStderr();
    {
        Lane free = lane(false);
        handled().milliseconds = 5;
        pace_->begin(0);
        for (int i = 1; i <= 250; ++i) {
            pace_->advance(i, 1);
            free.emit(step(i));
        }
        EXPECT_TRUE(free.flush(std::chrono::steady_clock::now() + 60s));
        pace_->end();
    }
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_NE(log.find("W observer 'counting' takes "), std::string::npos) << log;
    const std::size_t at = log.find("; the run waited ");
    ASSERT_NE(at, std::string::npos) << log;
    EXPECT_GE(std::stod(log.substr(at + 17)), 1.0) << log;
    EXPECT_NE(log.find("s for it at checkpoints", at), std::string::npos) << log;
    EXPECT_EQ(log.find("costs the training no"), std::string::npos) << log;
}

// Both observers are slow, but the run waits for each only while its own callback runs.
TEST_F(LaneTest, each_observer_has_the_waits_for_itself) {
    constexpr int kSteps = 100;
    testing::internal::CaptureStderr();
    {
        std::vector<registry::Observer> observers;
        observers.emplace_back(component_, Table{}, Origin{});
        observers.emplace_back(quick_, Table{}, Origin{});
        Lane free(std::move(observers), false, ObserverTimeouts{}, pace_);
        handled().milliseconds = 20;
        pace_->begin(0);
        for (int i = 1; i <= kSteps; ++i) {
            pace_->advance(i, 1);
            free.emit(step(i));
        }
        EXPECT_TRUE(free.flush(std::chrono::steady_clock::now() + 60s));
        pace_->end();
    }
    const std::string log = testing::internal::GetCapturedStderr();
    const auto waited_for = [&](const std::string& name) {
        const std::size_t at = log.find("; the run waited ", log.find("observer '" + name + "'"));
        return at == std::string::npos ? -1.0 : std::stod(log.substr(at + 17));
    };
    EXPECT_GE(waited_for("counting"), 1.5) << log;
    EXPECT_GT(waited_for("counting"), 4.0 * waited_for("quick")) << log;
}

TEST_F(LaneTest, a_slow_observer_of_a_short_run_is_reported) {
    testing::internal::CaptureStderr();
    {
        Lane free = lane(false);
        handled().milliseconds = 20;
        pace_->begin(0);
        for (int i = 1; i <= 25; ++i) {
            pace_->advance(i, 1);
            free.emit(step(i));
            std::this_thread::sleep_for(45ms);
        }
        pace_->end();
    }
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_NE(log.find("observer 'counting' takes "), std::string::npos) << log;
}

// Files are opened in the first steps.
TEST_F(LaneTest, the_warm_up_is_left_out) {
    testing::internal::CaptureStderr();
    {
        Lane free = lane(false);
        pace_->begin(0);
        for (int i = 1; i <= 25; ++i) {
            handled().milliseconds = i <= 5 ? 40 : 0;
            pace_->advance(i, 1);
            free.emit(step(i));
            std::this_thread::sleep_for(70ms);
        }
        pace_->end();
    }
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(log.find("observer 'counting'"), std::string::npos) << log;
}

TEST_F(LaneTest, waiting_after_the_end_of_the_run_is_no_wait_at_checkpoints) {
    testing::internal::CaptureStderr();
    {
        Lane free = lane(false);
        handled().milliseconds = 5;
        pace_->begin(0);
        for (int i = 1; i <= 250; ++i) {
            pace_->advance(i, 1);
            free.emit(step(i));
            std::this_thread::sleep_for(5ms);
        }
        pace_->end();
        EXPECT_TRUE(free.flush(std::chrono::steady_clock::now() + 60s));
    }
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_NE(log.find("observer 'counting' takes "), std::string::npos) << log;
    EXPECT_EQ(log.find("the run waited"), std::string::npos) << log;
}

TEST_F(LaneTest, a_wait_for_room_in_the_queue_is_reported) {
    testing::internal::CaptureStderr();
    {
        Lane free = lane(false);
        handled().milliseconds = 2;
        pace_->begin(0);
        for (int i = 1; i <= 1100; ++i) {
            pace_->advance(i, 1);
            free.emit(step(i));
        }
        free.emit(event(SLUICE_EVENT_RUN_END));
        std::this_thread::sleep_for(1s);
        pace_->end();
    }
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_NE(log.find(" s for room in its queue, which is "), std::string::npos) << log;
    EXPECT_EQ(log.find("at checkpoints"), std::string::npos) << log;
}

TEST_F(LaneTest, a_fast_observer_is_not_reported) {
    testing::internal::CaptureStderr();
    {
        Lane free = lane(false);
        handled().milliseconds = 0;
        pace_->begin(0);
        for (int i = 1; i <= 250; ++i) {
            pace_->advance(i, 1);
            free.emit(step(i));
            std::this_thread::sleep_for(5ms);
        }
        pace_->end();
    }
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(log.find("observer 'counting'"), std::string::npos) << log;
}

}  // namespace
}  // namespace sluice::observe
