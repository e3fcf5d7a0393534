// Common mistakes in TOML: the message says what would be right.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/toml.hpp"

namespace sluice {
namespace {

std::string refusal_of(const std::string& text) {
    try {
        (void)parse_toml(text, "a.toml");
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

struct Mistake {
    const char* text;
    const char* place;
    const char* advice;
};

TEST(TomlAdvice, says_what_is_right) {
    const Mistake mistakes[] = {
        {"a = {\n  b = 1,\n}\n", "a.toml:1:6: ", "; an inline table { ... } stands on one line, or is a table"},
        {"a = {\r\n  b = 1 }\r\n", "a.toml:1:6: ", "; an inline table { ... } stands on one line, or is a table"},
        {"a = { b = 1, }\n", "a.toml:1:14: ", "; no comma stands before the }"},
        {"a = True\n", "a.toml:1:5: ", "; booleans are true and false, in small letters"},
        {"a = FALSE # off\n", "a.toml:1:5: ", "; booleans are true and false, in small letters"},
        {"a = None\n", "a.toml:1:", "; TOML has no such value: leave the key out"},
        {"a = null\n", "a.toml:1:", "; TOML has no such value: leave the key out"},
        {"a = adam\n", "a.toml:1:5: ", "; a string needs quotes: \"adam\""},
        {"a = { use = adam, b = 1 }\n", "a.toml:1:13: ", "; a string needs quotes: \"adam\""},
        {"a = [tiger]\n", "a.toml:1:", "; a string needs quotes: \"tiger\""},
        {"a = nearest\n", "a.toml:1:", "; a string needs quotes: \"nearest\""},
        {"a = data/train.csv\n", "a.toml:1:5: ", "; a string needs quotes: \"data/train.csv\""},
        {"a == 2\n", "a.toml:1:4: ", "; one = is enough"},
        {"a: 2\n", "a.toml:1:2: ", "; a key and its value are written key = value"},
        {"a 2\n", "a.toml:1:3: ", "; a key and its value are written key = value"},
        {"a = \"adam\nb = 1\n", "a.toml:1:10: ", "; the string has no closing quote on its line"},
        {"a = 'adam\nb = 1\n", "a.toml:1:10: ", "; the string has no closing quote on its line"},
        {"a = \"C:\\data\"\n", "a.toml:1:", "; write \\\\ for a backslash, or put the string in single quotes"},
        {"[a]\nb = 1\n[c]\n[a]\nd = 1\n", "a.toml:4:", "; [a] begins in line 1: put the keys of both into one table"},
        {"a = 1\nb = 2\n a = 3\n", "a.toml:3:", "; line 1 sets 'a': keep one of the two"},
        {"[x]\na = 1\n[y]\na = 2\na = 3\n", "a.toml:5:", "; line 4 sets 'a': keep one of the two"},
        {"a = 1,\nb = 2\n", "a.toml:1:6: ", "; nothing follows a value in its line"},
        {"a = 1;\nb = 2\n", "a.toml:1:6: ", "; nothing follows a value in its line"},
        {"a = 1,000\n", "a.toml:1:6: ", "; numbers are written without commas"},
        {"a = 2 // two\n", "a.toml:1:7: ", "; a comment begins with #"},
        {"a = 2 GiB # memory\n", "a.toml:1:7: ", "; a value with a unit is a string: \"2 GiB\""},
        {"a = 10%\n", "a.toml:1:7: ", "; a value with a unit is a string: \"10%\""},
        {"a = .5\n", "a.toml:1:5: ", "; a decimal point has digits on both sides"},
        {"a = 5.\n", "a.toml:1:7: ", "; a decimal point has digits on both sides"},
        {"a = 1\rb = 2\r", "a.toml:1:7: ", "; lines end in LF or CR LF"},
        {"[a\nb = 1\n", "a.toml:1:3: ", "; the name of a table stands in brackets: [name]"},
        {"a = [{ b = 1 }\n[c]\n", "a.toml:2:1: ", "; an array that begins before this line has no closing ]"},
        {"{\"a\": 1}\n", "a.toml:1:1: ", "; a pipeline is TOML, not JSON"},
    };
    for (const Mistake& mistake : mistakes) {
        const std::string refusal = refusal_of(mistake.text);
        EXPECT_TRUE(refusal.starts_with(mistake.place)) << refusal;
        EXPECT_NE(refusal.find(mistake.advice), std::string::npos) << mistake.text << refusal;
    }
}

TEST(TomlAdvice, is_none_where_nothing_is_known) {
    EXPECT_EQ(refusal_of("a = [32 32]\n"),
              "a.toml:1:9: Error while parsing array: expected comma or closing ']', saw '3'");
    EXPECT_EQ(refusal_of("a = { b = 8 size = 2 }\n"),
              "a.toml:1:13: Error while parsing inline table: expected comma or closing '}', saw 's'");
}

TEST(TomlAdvice, is_none_for_what_is_right) {
    for (const char* const text : {"\ta = 1\n", "a = 'x\ty'\n", "[a]\n[a.b]\n", "a = [\n  { b = 1 },\n]\n"}) {
        EXPECT_EQ(refusal_of(text), "accepted") << text;
    }
}

}  // namespace
}  // namespace sluice
