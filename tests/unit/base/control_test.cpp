// Control characters that a terminal obeys: finding them, and showing texts without them.
#include "base/control.hpp"

#include <gtest/gtest.h>

#include "base/toml/toml.hpp"

namespace sluice {
namespace {

TEST(Control, is_found_with_its_place) {
    const std::pair<std::string_view, char32_t> kTexts[] = {
        {"ab\x1b[2J", 0x1B},  {"ab\x7f", 0x7F},     {"ab\u0080", 0x80},     {"ab\u009b", 0x9B},    {"ab\u009f", 0x9F},
        {"ab\u061c", 0x61C},  {"ab\u200e", 0x200E}, {"ab\u200f", 0x200F},   {"ab\u2028", 0x2028},  {"ab\u202a", 0x202A},
        {"ab\u202e", 0x202E}, {"ab\u2066", 0x2066}, {"ab\u2069cd", 0x2069}, {"ab\ncd\u202e", '\n'}};
    for (const auto& [text, letter] : kTexts) {
        const std::optional<Control> control = find_control(text);
        ASSERT_TRUE(control) << text;
        EXPECT_EQ(control->letter, letter);
        EXPECT_EQ(control->at, 2U);
    }
    EXPECT_EQ(find_control("\u00E4\u202e")->at, 2U);
    EXPECT_EQ(find_control("\u00E4\u202e")->size, 3U);
    EXPECT_EQ(find_control(std::string_view("\0", 1))->letter, 0U);
}

TEST(Control, is_no_letter_that_is_shown) {
    for (const std::string_view text : {"", "a ~", "\u00A0\u00E4", "\u061b\u05d0\u0628",
                                        "\u200d\u2027\u202f\u2065\u206a", "\U0001F600", "\xE2\x80", "\x9b", "\xC2"}) {
        EXPECT_FALSE(find_control(text)) << text;
    }
}

TEST(Control, is_escaped_when_a_text_is_shown) {
    EXPECT_EQ(shown("\x1b]0;title\x07 a\nb\tc \u202e\u00E4\U0001F600"),
              "\\u001b]0;title\\u0007 a\\nb\\u0009c \\u202e\u00E4\U0001F600");
    EXPECT_EQ(shown_lines("a\nb\tc\x7f"), "a\nb\tc\\u007f");
    EXPECT_EQ(shown("\xff a\x80 \xE2\x80 \xC2"), "\\xff a\\x80 \\xe2\\x80 \\xc2");
    EXPECT_EQ(shown("\xED\xA0\x80"), "\\xed\\xa0\\x80");  // half of a surrogate pair
    EXPECT_TRUE(is_plain("\u00E4 \u20AC \U0001F600"));
    EXPECT_FALSE(is_plain("a\n"));
    EXPECT_FALSE(is_plain("\xff"));
}

TEST(Control, in_a_value_is_escaped_and_read_back) {
    const std::string text = "\u00E4 \"a\\\"\n\t\x7f\u009b\u202e\u2066 \x1b.";
    const std::string toml = to_toml({text, {}});
    EXPECT_EQ(toml, "\"\u00E4 \\\"a\\\\\\\"\\n\\t\\u007f\\u009b\\u202e\\u2066 \\u001b.\"");
    EXPECT_EQ(*parse_toml("a = " + toml, "a.toml").find("a")->as_string(), text);
}

}  // namespace
}  // namespace sluice
