#include "history/event_line.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sluice::history {
namespace {

TEST(EventLine, has_the_fields_of_the_event) {
    const auto event = parse_event(
        R"({"kind":"step","epoch":2,"step":30,"seconds":1.5,"text":"a","scalars":{"loss":0.25,"rate":null}})");
    ASSERT_TRUE(event.has_value());
    EXPECT_EQ(event->kind, EventKind::step);
    EXPECT_EQ(event->epoch, 2);
    EXPECT_EQ(event->step, 30);
    EXPECT_EQ(event->seconds, 1.5);
    EXPECT_EQ(event->text, "a");
    EXPECT_EQ(event->scalar("loss", 0.0), 0.25);
    EXPECT_TRUE(std::isnan(event->scalar("rate", 0.0)));
    EXPECT_EQ(event->scalar("none", -1.0), -1.0);
}

TEST(EventLine, that_is_damaged_or_of_another_kind_is_left_out) {
    for (const char* const line : {"", "{", "[]", "null", R"({"kind":"step"})",
                                   R"({"kind":5,"epoch":1,"step":1,"seconds":1,"text":"","scalars":{}})",
                                   R"({"kind":"kind_77","epoch":1,"step":1,"seconds":1,"text":"","scalars":{}})",
                                   R"({"kind":"step","epoch":1,"step":"x","seconds":1,"text":"","scalars":{}})"}) {
        EXPECT_FALSE(parse_event(line).has_value()) << line;
    }
}

}  // namespace
}  // namespace sluice::history
