// The clock that divides a loop's time into stages.
#include "profile/stage_clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "base/clock.hpp"
#include "profile/recorder.hpp"

namespace sluice::profile {
namespace {

// Busy, since a sleep may take much longer.
void pass(double seconds) {
    const double until = now() + seconds;
    while (now() < until) {
    }
}

TEST(StageClock, has_no_gaps) {
    StageClock clock;
    const double begin = clock.taken_at();
    double sum = 0.0;
    for (int step = 0; step < 50; ++step) {
        clock.enter(Stage::read);
        pass(50e-6);
        clock.enter(Stage::forward);
        clock.enter(Stage::backward);
        pass(100e-6);
        clock.enter(Stage::other);
        const StageSeconds seconds = clock.take();
        EXPECT_GE(seconds[Stage::read], 50e-6);
        EXPECT_GE(seconds[Stage::backward], 100e-6);
        sum += seconds.total();
    }
    EXPECT_NEAR(sum, clock.taken_at() - begin, 1e-9);
}

TEST(StageClock, goes_on_in_a_stage_after_it_is_taken) {
    StageClock clock;
    clock.enter(Stage::exchange);
    pass(1e-4);
    static_cast<void>(clock.take());
    pass(1e-4);
    const StageSeconds seconds = clock.take();
    EXPECT_GE(seconds[Stage::exchange], 1e-4);
    EXPECT_EQ(seconds.total(), seconds[Stage::exchange]);
}

TEST(StageClock, returns_the_former_stage_and_counts_changes) {
    StageClock clock;
    EXPECT_EQ(clock.enter(Stage::read), Stage::other);
    EXPECT_EQ(clock.enter(Stage::read), Stage::read);
    EXPECT_EQ(clock.entered(), 1U);
    EXPECT_EQ(clock.enter(Stage::upload), Stage::read);
    EXPECT_EQ(clock.entered(), 2U);
}

TEST(StageClock, moves_time_without_changing_the_sum) {
    StageClock clock;
    clock.enter(Stage::read);
    pass(2e-4);
    clock.move(Stage::preprocess, 1e-4);
    clock.enter(Stage::forward);
    const double begin = clock.taken_at();
    const StageSeconds seconds = clock.take();
    EXPECT_DOUBLE_EQ(seconds[Stage::preprocess], 1e-4);
    EXPECT_GE(seconds[Stage::read], 1e-4);
    EXPECT_NEAR(seconds.total(), clock.taken_at() - begin, 1e-9);
}

TEST(StageClock, scopes_are_nested) {
    StageClock clock;
    const LoopClock measured(&clock);
    EXPECT_EQ(loop_clock(), &clock);
    {
        const StageScope outer(Stage::forward);
        {
            const StageScope inner(Stage::exchange);
            pass(1e-4);
        }
        EXPECT_EQ(clock.enter(Stage::forward), Stage::forward);
        pass(1e-4);
    }
    EXPECT_EQ(clock.enter(Stage::other), Stage::other);
    const StageSeconds seconds = clock.take();
    EXPECT_GE(seconds[Stage::exchange], 1e-4);
    EXPECT_GE(seconds[Stage::forward], 1e-4);
}

TEST(StageClock, is_of_one_thread_at_a_time) {
    StageClock clock;
    StageClock inner;
    const LoopClock measured(&clock);
    {
        const LoopClock other(&inner);
        EXPECT_EQ(loop_clock(), &inner);
        const LoopClock none(nullptr);
        const StageScope ignored(Stage::storage);
        enter_stage(Stage::storage);
        EXPECT_EQ(loop_clock(), nullptr);
    }
    EXPECT_EQ(loop_clock(), &clock);
    EXPECT_EQ(inner.entered(), 0U);
    // Another thread has none, until it works for the loop.
    std::thread([&] {
        EXPECT_EQ(loop_clock(), nullptr);
        enter_stage(Stage::storage);
        const LoopClock lent(&clock);
        enter_stage(Stage::backward);
    }).join();
    EXPECT_EQ(clock.entered(), 1U);
    EXPECT_EQ(clock.enter(Stage::other), Stage::backward);
}

// Stages that have ended are spans of the loop, also if another thread works for it.
TEST(StageClock, records_stages_in_a_window) {
    name_thread(SLUICE_THREAD_LOOP, "loop");
    StageClock clock;
    clock.enter(Stage::read);
    Recorder::open();
    clock.enter(Stage::forward);
    std::thread([&] {
        const LoopClock lent(&clock);
        enter_stage(Stage::backward);
    }).join();
    static_cast<void>(clock.take());
    const RecordedSpans recorded = Recorder::close();
    clock.enter(Stage::other);
    ASSERT_EQ(recorded.threads.size(), 1U);
    EXPECT_EQ(recorded.threads[0].kind, std::uint32_t{SLUICE_THREAD_LOOP});
    const std::vector<Span>& spans = recorded.threads[0].spans;
    ASSERT_EQ(spans.size(), 3U);
    EXPECT_EQ(spans[0].name.view(), "read");
    EXPECT_EQ(spans[1].name.view(), "forward");
    EXPECT_EQ(spans[2].name.view(), "backward");
    EXPECT_EQ(spans[0].end, spans[1].begin);
    EXPECT_EQ(spans[1].end, spans[2].begin);
}

TEST(StageClock, stages_have_names) {
    EXPECT_EQ(name_of(Stage::read), "read");
    EXPECT_EQ(name_of(Stage::other), "other");
    EXPECT_EQ(name_of(Stage::device), "device");
}

}  // namespace
}  // namespace sluice::profile
