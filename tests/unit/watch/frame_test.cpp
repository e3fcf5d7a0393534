#include "watch/frame.hpp"

#include <gtest/gtest.h>

#include "base/text/columns.hpp"

namespace sluice::watch {
namespace {

TEST(Frame, cuts_what_is_beyond_its_edges) {
    Frame frame(5, 2);
    frame.put(0, 0, "abcdefgh");
    frame.put(1, 3, "xyz");
    frame.put(2, 0, "below");
    frame.put(-1, 0, "above");
    frame.put(0, 5, "right");
    EXPECT_EQ(frame.text(), "abcde\n   xy\n");
}

TEST(Frame, counts_columns_and_not_bytes) {
    Frame frame(4, 1);
    frame.put(0, 0, "äöü");
    frame.put(0, 3, "日");  // takes two columns, of which one is left
    EXPECT_EQ(frame.text(), "äöü\n");
    EXPECT_EQ(columns_of("日本"), 4);
    EXPECT_EQ(cut("日本", 3), "日");
}

TEST(Frame, shows_control_characters_as_escapes) {
    Frame frame(20, 1);
    frame.put(0, 0, "a\033[31mb");
    EXPECT_EQ(frame.text(), "a\\u001b[31mb\n");
}

TEST(Frame, keeps_styles) {
    Frame frame(20, 1);
    frame.put(0, 0, "a", Style::bad);
    ASSERT_EQ(frame.line(0).size(), 1U);
    EXPECT_EQ(frame.line(0)[0].style, Style::bad);
}

}  // namespace
}  // namespace sluice::watch
