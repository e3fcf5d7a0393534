// Why threads and streams are idle.
#include "profile/idle_split.hpp"

#include <gtest/gtest.h>

#include "unit/profile/made_window.hpp"

namespace sluice::profile {
namespace {

std::vector<IdleThread> split_of(const Window& window) { return idle_split(window, step_times(window)); }

TEST(IdleSplit, of_a_thread_has_the_causes_of_its_stages) {
    const std::vector<IdleThread> split = split_of(cpu_window().window());
    ASSERT_EQ(split.size(), 1U);
    const IdleThread& loop = split.front();
    EXPECT_EQ(loop.thread, 0U);
    EXPECT_NEAR(loop.busy, 64e-3, 1e-9);
    EXPECT_NEAR(loop.idle(), 36e-3, 1e-9);
    EXPECT_NEAR(loop[IdleCause::input], 20e-3, 1e-9);
    EXPECT_NEAR(loop[IdleCause::copy], 4e-3, 1e-9);
    EXPECT_NEAR(loop[IdleCause::launch], 6e-3, 1e-9);
    EXPECT_NEAR(loop[IdleCause::exchange], 0.0, 1e-9);
    EXPECT_NEAR(loop[IdleCause::observer], 3e-3, 1e-9);
    EXPECT_NEAR(loop[IdleCause::storage], 2e-3, 1e-9);
    EXPECT_NEAR(loop[IdleCause::other], 1e-3, 1e-9);
}

TEST(IdleSplit, of_a_stream_looks_at_copies_and_the_loop) {
    const std::vector<IdleThread> split = split_of(stream_window().window());
    ASSERT_EQ(split.size(), 1U);  // the stream of copies computes nothing
    const IdleThread& stream = split.front();
    EXPECT_NEAR(stream.busy, (33.49998e-3 + 33e-3) / 2, 1e-9);
    EXPECT_NEAR(stream[IdleCause::input], 5e-3, 1e-9);
    EXPECT_NEAR(stream[IdleCause::copy], 2e-3, 1e-9);
    EXPECT_NEAR(stream[IdleCause::launch], (1.5e-3 + 20e-9 + 0.5e-3 + 0.5e-3 + 3e-3 + 2e-3 + 2e-3) / 2, 1e-9);
    EXPECT_NEAR(stream[IdleCause::observer], 5e-3, 1e-9);
    EXPECT_NEAR(stream.busy + stream.idle(), 50e-3, 1e-9);
}

// The kernels 1 and 2 are 20 ns apart. Kernel 5 was enqueued late, kernel 6 in time.
TEST(IdleSplit, of_a_stream_follows_holistic_trace_analysis) {
    const StreamGaps gaps = split_of(stream_window().window()).at(0).gaps;
    EXPECT_NEAR(gaps.kernel_wait, 20e-9 / 2, 1e-12);
    EXPECT_NEAR(gaps.host_wait, 18e-3 / 2, 1e-9);
    EXPECT_NEAR(gaps.other, 2e-3 / 2, 1e-9);
}

TEST(IdleSplit, of_a_stream_leaves_out_gaps_between_steps) {
    MadeWindow made;
    const std::uint32_t loop = made.thread(SLUICE_THREAD_LOOP, "loop");
    const std::uint32_t stream = made.thread(SLUICE_THREAD_STREAM, "stream 7", 0);
    made.step(1, 0, 10);
    made.step(2, 510, 520);
    made.span(SLUICE_SPAN_KERNEL, stream, 0, 9);
    made.span(SLUICE_SPAN_KERNEL, loop, 512, 513, {.correlation = 2});
    made.span(SLUICE_SPAN_KERNEL, stream, 514, 520, {.correlation = 2});
    const IdleThread idle = split_of(made.window()).at(0);
    EXPECT_NEAR(idle.gaps.host_wait, (1e-3 + 4e-3) / 2, 1e-9);
    EXPECT_NEAR(idle.gaps.other, 0.0, 1e-9);
    EXPECT_NEAR(idle.idle(), (1e-3 + 4e-3) / 2, 1e-9);
}

// A replica that waits for another one records so itself, while the loop's stage is that of the first replica.
TEST(IdleSplit, of_replicas_prefers_what_a_thread_records_itself) {
    MadeWindow made;
    made.thread(SLUICE_THREAD_LOOP, "loop");
    const std::uint32_t first = made.thread(SLUICE_THREAD_COMPUTE, "replica 0");
    const std::uint32_t second = made.thread(SLUICE_THREAD_COMPUTE, "replica 1");
    made.step(1, 0, 10);
    made.stage("backward", 0, 10);
    made.span(SLUICE_SPAN_BACKWARD, first, 0, 10);
    made.span(SLUICE_SPAN_BACKWARD, second, 0, 4);
    made.span(SLUICE_SPAN_EXCHANGE, second, 4, 9, {.name = "gradients 1 of 1"});
    const std::vector<IdleThread> split = split_of(made.window());
    ASSERT_EQ(split.size(), 2U);
    EXPECT_NEAR(split[0].idle(), 0.0, 1e-12);
    EXPECT_NEAR(split[1][IdleCause::exchange], 5e-3, 1e-9);
    EXPECT_NEAR(split[1][IdleCause::launch], 1e-3, 1e-9);
}

TEST(IdleSplit, of_a_window_without_launches_is_empty) {
    EXPECT_TRUE(split_of(Window{}).empty());
    EXPECT_EQ(name_of(IdleCause::other), "other");
}

}  // namespace
}  // namespace sluice::profile
