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
    EXPECT_EQ(ring.dropped(), 0U);
}

TEST(EventRing, without_room_drops_and_counts_steps_and_refuses_other_events) {
    EventRing ring;
    for (std::size_t i = 0; i < EventRing::kLength + 3; ++i) {
        ring.add(step(static_cast<std::int64_t>(i)));
    }
    EXPECT_EQ(ring.dropped(), 3U);
    Event end = named("end");
    EXPECT_FALSE(ring.add(end, 1ms));
    EXPECT_EQ(end.text, "end");
    EXPECT_EQ(deliver(ring).size(), EventRing::kLength);
    EXPECT_TRUE(ring.add(end, 0ms));
    EXPECT_EQ(deliver(ring), std::vector<std::string>{"end"});
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
