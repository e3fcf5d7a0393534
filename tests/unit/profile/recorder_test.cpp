// Recording what threads do while a window is open.
#include "profile/recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.hpp"

namespace sluice::profile {
namespace {

class RecorderTest : public testing::Test {
protected:
    void SetUp() override { name_thread(SLUICE_THREAD_LOOP, "loop"); }
    void TearDown() override {
        static_cast<void>(Recorder::close());
        Recorder::set_step(0);
    }

    static RecordedThread thread_named(const RecordedSpans& recorded, const std::string& name) {
        const auto found = std::ranges::find(recorded.threads, name, &RecordedThread::name);
        EXPECT_NE(found, recorded.threads.end()) << name;
        return found == recorded.threads.end() ? RecordedThread{} : *found;
    }
    static void on_thread(std::uint32_t kind, const std::string& name, const auto& action) {
        std::thread([&] {
            name_thread(kind, name);
            action();
        }).join();
    }
};

TEST_F(RecorderTest, has_spans_of_each_thread) {
    Recorder::open();
    const double before = now();
    { const Recording upload(SLUICE_SPAN_UPLOAD, "batch", {.sample = 4, .bytes = 99}); }
    on_thread(SLUICE_THREAD_INPUT, "input 1", [] {
        const Recording outer(SLUICE_SPAN_PREPROCESS, "crop");
        const Recording inner(SLUICE_SPAN_ALLOCATION, "block");
    });
    const RecordedSpans recorded = Recorder::close();
    ASSERT_EQ(recorded.threads.size(), 2U);
    const RecordedThread loop = thread_named(recorded, "loop");
    ASSERT_EQ(loop.spans.size(), 1U);
    EXPECT_EQ(loop.spans[0].kind, std::uint32_t{SLUICE_SPAN_UPLOAD});
    EXPECT_EQ(loop.spans[0].sample, 4);
    EXPECT_EQ(loop.spans[0].bytes, 99U);
    EXPECT_GE(loop.spans[0].begin, before);
    EXPECT_GE(loop.spans[0].end, loop.spans[0].begin);
    const RecordedThread input = thread_named(recorded, "input 1");  // it has ended, and its spans are kept
    ASSERT_EQ(input.spans.size(), 2U);
    EXPECT_EQ(input.kind, std::uint32_t{SLUICE_THREAD_INPUT});
    EXPECT_EQ(input.spans[0].name.view(), "block");  // it ended first
    EXPECT_NE(input.id, loop.id);
}

TEST_F(RecorderTest, has_nothing_from_outside_a_window) {
    EXPECT_FALSE(is_recording());
    add({.begin = 1.0, .end = 2.0});
    {
        const Recording before(SLUICE_SPAN_UPLOAD, "before");
        Recorder::open();
        EXPECT_TRUE(is_recording());
    }  // it began outside
    EXPECT_TRUE(Recorder::close().threads.empty());
    add({.begin = 1.0, .end = 2.0});
    Recorder::open();
    EXPECT_TRUE(Recorder::close().threads.empty());
}

TEST_F(RecorderTest, pauses) {
    Recorder::open();
    add({.begin = 1.0, .end = 2.0, .name = "a"});
    Recorder::pause();
    EXPECT_FALSE(is_recording());
    add({.begin = 2.0, .end = 3.0, .name = "b"});
    Recorder::resume();
    add({.begin = 3.0, .end = 4.0, .name = "c"});
    const RecordedThread loop = thread_named(Recorder::close(), "loop");
    ASSERT_EQ(loop.spans.size(), 2U);
    EXPECT_EQ(loop.spans[1].name.view(), "c");
}

TEST_F(RecorderTest, cuts_long_names_and_copies_them) {
    Recorder::open();
    {
        std::string name(100, 'n');
        add({.begin = 1.0, .end = 2.0, .name = name});
        name.assign(100, 'x');
    }
    const RecordedThread loop = thread_named(Recorder::close(), "loop");
    const std::string_view name = loop.spans.at(0).name.view();
    EXPECT_GT(name.size(), 20U);
    EXPECT_EQ(name, std::string(name.size(), 'n'));
    EXPECT_EQ(Span::Name().view(), "");
}

TEST_F(RecorderTest, counts_spans_without_room) {
    constexpr std::uint64_t kMany = 200'000;
    Recorder::open();
    for (std::uint64_t i = 0; i < kMany; ++i) {
        add({.begin = 1.0, .end = 2.0, .bytes = i});
    }
    const RecordedThread loop = thread_named(Recorder::close(), "loop");
    EXPECT_GT(loop.dropped, 0U);
    EXPECT_EQ(loop.spans.size() + loop.dropped, kMany);
    EXPECT_EQ(loop.spans.back().bytes, loop.spans.size() - 1);  // the first ones are kept
    Recorder::open();
    add({.begin = 1.0, .end = 2.0});
    EXPECT_EQ(thread_named(Recorder::close(), "loop").dropped, 0U);
}

TEST_F(RecorderTest, gives_steps_to_the_loop_and_to_compute_threads) {
    Recorder::open();
    Recorder::set_step(7);
    add({.begin = 1.0, .end = 2.0});
    add({.begin = 1.0, .end = 2.0, .step = 6});
    on_thread(SLUICE_THREAD_COMPUTE, "replica 1", [] { add({.begin = 1.0, .end = 2.0}); });
    on_thread(SLUICE_THREAD_INPUT, "input 1", [] { add({.begin = 1.0, .end = 2.0}); });
    const RecordedSpans recorded = Recorder::close();
    EXPECT_EQ(thread_named(recorded, "loop").spans.at(0).step, 7);
    EXPECT_EQ(thread_named(recorded, "loop").spans.at(1).step, 6);
    EXPECT_EQ(thread_named(recorded, "replica 1").spans.at(0).step, 7);
    EXPECT_EQ(thread_named(recorded, "input 1").spans.at(0).step, 0);
}

TEST_F(RecorderTest, has_the_stages_on_a_device) {
    DeviceStages stages{.begin = 1.0, .end = 2.0, .seconds = {}};
    stages.seconds[Stage::forward] = 0.25;
    add_on_device(stages);
    Recorder::open();
    add_on_device(stages);
    const RecordedSpans recorded = Recorder::close();
    add_on_device(stages);
    ASSERT_EQ(recorded.on_device.size(), 1U);
    EXPECT_EQ(recorded.on_device[0].seconds[Stage::forward], 0.25);
    EXPECT_EQ(recorded.on_device[0].end, 2.0);
}

TEST_F(RecorderTest, runs_the_next_step_eagerly_and_no_other) {
    Recorder::run_next_step_eagerly();
    Recorder::open();
    for (const std::int64_t step : {7, 8, 9}) {
        Recorder::set_step(step);
        EXPECT_EQ(runs_eagerly(), step == 7) << step;
    }
    Recorder::run_next_step_eagerly();
    Recorder::set_step(10);
    Recorder::set_runs_eagerly(false);
    EXPECT_FALSE(runs_eagerly());
    EXPECT_EQ(Recorder::close().steps.size(), 4U);
}

TEST_F(RecorderTest, adds_to_the_loop_from_another_thread) {
    Recorder::open();
    on_thread(SLUICE_THREAD_COMPUTE, "replica 0", [] { add_to_loop({.begin = 1.0, .end = 2.0, .name = "forward"}); });
    const RecordedSpans recorded = Recorder::close();
    ASSERT_EQ(recorded.threads.size(), 1U);
    EXPECT_EQ(thread_named(recorded, "loop").spans.at(0).name.view(), "forward");
}

TEST_F(RecorderTest, shares_operations_until_the_window_is_closed) {
    auto operations = std::make_shared<const std::vector<Operation>>(2);
    const std::weak_ptr<const std::vector<Operation>> alive = operations;
    Recorder::open();
    Recorder::keep(operations);
    Recorder::keep(operations);
    add({.begin = 1.0, .end = 2.0, .operation = &(*operations)[1]});
    operations.reset();
    {
        const RecordedSpans recorded = Recorder::close();
        ASSERT_EQ(recorded.operations.size(), 1U);
        EXPECT_EQ(thread_named(recorded, "loop").spans.at(0).operation, &(*recorded.operations[0])[1]);
    }
    EXPECT_TRUE(alive.expired());
}

TEST_F(RecorderTest, takes_many_threads_that_end) {
    for (int i = 0; i < 600; ++i) {
        on_thread(SLUICE_THREAD_INPUT, "short", [] {});
    }
    Recorder::open();
    on_thread(SLUICE_THREAD_INPUT, "last", [] { add({.begin = 1.0, .end = 2.0}); });
    EXPECT_EQ(Recorder::close().threads.size(), 1U);
}

// Threads record while windows open and close. ThreadSanitizer sees to the rest.
TEST_F(RecorderTest, takes_threads_that_record_all_the_time) {
    std::atomic<bool> is_over{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
        threads.emplace_back([&, i] {
            name_thread(SLUICE_THREAD_INPUT, "busy " + std::to_string(i));
            while (!is_over) {
                const Recording busy(SLUICE_SPAN_READ, "sample");
            }
        });
    }
    std::size_t spans = 0;
    const double until = now() + 0.2;
    while (now() < until || spans == 0) {
        Recorder::open();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        for (const RecordedThread& thread : Recorder::close().threads) {
            for (const Span& span : thread.spans) {
                EXPECT_EQ(span.name.view(), "sample");
                EXPECT_LE(span.begin, span.end);
            }
            spans += thread.spans.size();
        }
    }
    is_over = true;
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_GT(spans, 0U);
}

}  // namespace
}  // namespace sluice::profile
