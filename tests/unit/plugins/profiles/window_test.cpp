// Windows as observers get them.
#include "profile/window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "profile/labels.hpp"
#include "sluice/sdk/guard.hpp"
#include "unit/plugins/profiles/recorded_window.hpp"

namespace sluice::observers::tests {
namespace {

TEST(Window, ElementsOfANewerHostAreLonger) {
    RecordedWindow recorded({});
    struct LongerSpan {
        sluice_span known;
        std::uint64_t added;
    };
    std::vector<LongerSpan> spans;
    for (const sluice_span& span : recorded.spans()) {
        spans.push_back({span, 77});
    }
    recorded.profile().spans = &spans.front().known;
    recorded.profile().span_size = sizeof(LongerSpan);
    const Window window(recorded.profile());
    ASSERT_EQ(window.spans().size(), spans.size());
    EXPECT_EQ(window.spans().back().begin_ns, spans.back().known.begin_ns);
    EXPECT_EQ(window.spans()[3].duration_ns, spans[3].known.duration_ns);
}

TEST(Window, WhatAnOlderHostDoesNotKnowIsZero) {
    RecordedWindow recorded({});
    constexpr std::size_t kShorter = offsetof(sluice_span, correlation);
    std::vector<char> bytes;
    for (const sluice_span& span : recorded.spans()) {
        const char* const first = reinterpret_cast<const char*>(&span);
        bytes.insert(bytes.end(), first, first + kShorter);
    }
    recorded.profile().spans = reinterpret_cast<const sluice_span*>(bytes.data());
    recorded.profile().span_size = kShorter;
    const Window window(recorded.profile());
    ASSERT_EQ(window.spans().size(), recorded.spans().size());
    EXPECT_EQ(window.spans().back().correlation, 0U);
    EXPECT_EQ(window.spans().back().kind, recorded.spans().back().kind);
}

TEST(Window, SpansOfNoThreadAreRefused) {
    RecordedWindow recorded({});
    recorded.spans()[2].thread = 9;
    try {
        const Window window(recorded.profile());
        FAIL() << "the window was accepted";
    } catch (const sdk::Failure& failure) {
        EXPECT_STREQ(failure.what(), "the recorded window has a span of thread 9; it has 4 threads");
    }
}

TEST(Window, SpansOfAStreamBelongToTheStepThatEnqueuedThem) {
    const RecordedWindow recorded({.has_stream = true});
    const Window window(recorded.profile());
    int found = 0;
    for (const sluice_span& span : window.spans()) {
        if (window.is_on_stream(span)) {
            EXPECT_EQ(span.step, span.begin_ns < recorded.step_ns() ? 20 : 21);
            ++found;
        }
    }
    EXPECT_EQ(found, 12);
    EXPECT_EQ(window.devices(), std::vector<std::uint32_t>{0});
}

TEST(Window, AStageIsAroundALaunchOfTheSameTimes) {
    const RecordedWindow recorded({});
    const Window window(recorded.profile());
    const auto& spans = window.spans();
    const auto launch = std::find_if(spans.begin(), spans.end(),
                                     [](const sluice_span& span) { return span.kind == SLUICE_SPAN_OPTIMIZER; });
    ASSERT_NE(launch, spans.begin());
    const sluice_span& stage = *std::prev(launch);
    EXPECT_EQ(window.name(stage.name), "optimizer");
    EXPECT_EQ(stage.begin_ns, launch->begin_ns);
    EXPECT_EQ(stage.duration_ns, launch->duration_ns);
}

TEST(Window, NamesThatAreNotThereAreEmpty) {
    const RecordedWindow recorded({});
    const Window window(recorded.profile());
    EXPECT_EQ(window.name(SLUICE_NONE), "");
    sluice_span span = window.spans().front();
    span.operation = 1000;
    EXPECT_EQ(window.operation_of(span), nullptr);
    span.kind = 1000;
    span.name = SLUICE_NONE;
    EXPECT_EQ(label_of(window, span), "span");
}

TEST(Window, FoldersSortByStep) { EXPECT_EQ(window_name(Window(RecordedWindow({}).profile())), "steps-000020-000021"); }

}  // namespace
}  // namespace sluice::observers::tests
