// A bounded queue that never lets a step wait, and loses no other event.
#include "observe/event_ring.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace sluice::observe {
namespace {

using namespace std::chrono_literals;

StepEvent step(std::int64_t number) {
    StepEvent made;
    made.step = number;
    return made;
}

Event named(std::string text) {
    Event made;
    made.text = std::move(text);
    return made;
}

// Delivers what is waiting; the texts of the events, and "step N".
std::vector<std::string> deliver(EventRing& ring) {
    std::vector<std::string> delivered;
    ring.deliver([&](const EventRing::Slot& slot) {
        delivered.push_back(slot.is_step ? "step " + std::to_string(slot.step.step) : slot.event.text);
    });
    return delivered;
}

TEST(EventRing, delivers_in_the_order_of_adding) {
    EventRing ring;
    Event checkpoint = named("checkpoint");
    ring.add(step(1));
    EXPECT_TRUE(ring.add(checkpoint, 0ms));
    ring.add(step(2));
    EXPECT_FALSE(ring.wait_until_empty(0ms));
    EXPECT_EQ(deliver(ring), (std::vector<std::string>{"step 1", "checkpoint", "step 2"}));
    EXPECT_TRUE(ring.wait_until_empty(0ms));
    EXPECT_EQ(ring.dropped(SLUICE_EVENT_STEP), 0U);
}

TEST(EventRing, without_room_drops_and_counts_steps_and_refuses_other_events) {
    EventRing ring;
    for (std::size_t i = 0; i < EventRing::kLength + 3; ++i) {
        ring.add(step(static_cast<std::int64_t>(i)));
    }
    EXPECT_EQ(ring.dropped(SLUICE_EVENT_STEP), 3U);
    Event end = named("end");
    EXPECT_FALSE(ring.add(end, 1ms));
    EXPECT_EQ(end.text, "end");
    EXPECT_EQ(deliver(ring).size(), EventRing::kLength);
    EXPECT_TRUE(ring.add(end, 0ms));
    EXPECT_EQ(deliver(ring), std::vector<std::string>{"end"});
}

TEST(EventRing, without_room_drops_usage_and_profiles_and_counts_them_by_kind) {
    EventRing ring;
    Event usage = named("usage");
    usage.kind = SLUICE_EVENT_USAGE;
    Event profile = named("profile");
    profile.kind = SLUICE_EVENT_PROFILE;
    ring.add_or_drop(usage);
    for (std::size_t i = 1; i < EventRing::kLength; ++i) {
        ring.add(step(static_cast<std::int64_t>(i)));
    }
    ring.add_or_drop(usage);
    ring.add_or_drop(usage);
    ring.add_or_drop(profile);
    EXPECT_EQ(ring.dropped(SLUICE_EVENT_STEP), 0U);
    EXPECT_EQ(ring.dropped(SLUICE_EVENT_USAGE), 2U);
    EXPECT_EQ(ring.dropped(SLUICE_EVENT_PROFILE), 1U);
    const std::vector<std::string> delivered = deliver(ring);
    ASSERT_EQ(delivered.size(), EventRing::kLength);
    EXPECT_EQ(delivered.front(), "usage");
}

TEST(EventRing, a_step_that_may_wait_is_refused_without_room_and_not_dropped) {
    EventRing ring;
    for (std::size_t i = 0; i < EventRing::kLength; ++i) {
        EXPECT_TRUE(ring.add(step(static_cast<std::int64_t>(i)), 0ms));
    }
    EXPECT_FALSE(ring.add(step(0), 1ms));
    EXPECT_EQ(ring.dropped(SLUICE_EVENT_STEP), 0U);
    EXPECT_EQ(deliver(ring).size(), EventRing::kLength);
    EXPECT_TRUE(ring.add(step(0), 0ms));
}

TEST(EventRing, delivers_the_waiting_events_after_it_is_closed_and_then_is_finished) {
    EventRing ring;
    ring.add(step(1));
    ring.close();
    EXPECT_FALSE(ring.wait_until_finished(0ms));
    int steps = 0;
    EXPECT_FALSE(ring.deliver([&](const EventRing::Slot&) { ++steps; }));
    EXPECT_EQ(steps, 1);
    EXPECT_TRUE(ring.wait_until_finished(0ms));
}

TEST(EventRing, returns_from_deliver_without_an_event_if_it_is_hurried) {
    EventRing ring;
    ring.hurry();
    EXPECT_EQ(deliver(ring), std::vector<std::string>{});
}

}  // namespace
}  // namespace sluice::observe
