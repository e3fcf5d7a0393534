// Common mistakes in TOML: the message says what would be right.
#include <gtest/gtest.h>

#include <initializer_list>

#include "base/error.hpp"
#include "base/toml/toml.hpp"
#include "base/toml/toml_advice.hpp"

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

void expect_advice(std::initializer_list<Mistake> mistakes) {
    for (const Mistake& mistake : mistakes) {
        const std::string refusal = refusal_of(mistake.text);
        EXPECT_TRUE(refusal.starts_with(mistake.place)) << mistake.text << refusal;
        EXPECT_NE(refusal.find(mistake.advice), std::string::npos) << mistake.text << refusal;
    }
}

TEST(TomlAdvice, says_what_is_right) {
    expect_advice({
        {"a = {\n  b = 1,\n}\n", "a.toml:1:6: ", "; write an inline table { ... } on one line, or as a table [...]"},
        {"a = {\r\n  b = 1 }\r\n", "a.toml:1:6: ", "; write an inline table { ... } on one line, or as a table [...]"},
        {"a = { b = 1, }\n", "a.toml:1:14: ", "; remove the comma before the }"},
        {"a = True\n", "a.toml:1:5: ", "; booleans are true and false, in lower case"},
        {"a = FALSE # off\n", "a.toml:1:5: ", "; booleans are true and false, in lower case"},
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
        {"a = 1,\nb = 2\n", "a.toml:1:6: ", "; only a comment may follow a value on its line"},
        {"a = 1;\nb = 2\n", "a.toml:1:6: ", "; only a comment may follow a value on its line"},
        {"a = 1,000\n", "a.toml:1:6: ", "; write numbers without commas"},
        {"a = 2 // two\n", "a.toml:1:7: ", "; a comment begins with #"},
        {"a = 2 GiB # memory\n", "a.toml:1:7: ", "; write a value with a unit as a string: \"2 GiB\""},
        {"a = 10%\n", "a.toml:1:7: ", "; write a value with a unit as a string: \"10%\""},
        {"a = .5\n", "a.toml:1:5: ", "; a decimal point needs digits on both sides"},
        {"a = 5.\n", "a.toml:1:7: ", "; a decimal point needs digits on both sides"},
        {"a = 1\rb = 2\r", "a.toml:1:7: ", "; lines end in LF or CR LF"},
        {"[a\nb = 1\n", "a.toml:1:3: ", "; write the name of a table in brackets: [name]"},
        {"a = [{ b = 1 }\n[c]\n", "a.toml:2:1: ", "; an array that begins before this line has no closing ]"},
        {"{\"a\": 1}\n", "a.toml:1:1: ", "; a pipeline is TOML, not JSON"},
    });
}

TEST(TomlAdvice, says_what_is_right_of_values) {
    expect_advice({
        {"a = (1, 2) # two\n", "a.toml:1:5: ", "; '(' cannot begin a value: write an array as [1, 2]"},
        {"a = { s = (32, 32), b = 1 }\n", "a.toml:1:11: ", "; '(' cannot begin a value: write an array as [32, 32]"},
        {"a = [1, 2)\n", "a.toml:1:10: ", "; an array [ ... ] is closed by ]"},
        {"a = [1, 2}\n", "a.toml:1:10: ", "; an array [ ... ] is closed by ]"},
        {"a = { b = 1 ]\n", "a.toml:1:13: ", "; an inline table { ... } is closed by }"},
        {"a = 1e-3 * 2\n", "a.toml:1:10: ", "; TOML does not calculate: write the result of 1e-3 * 2"},
        {"a = 1/255\n", "a.toml:1:6: ", "; TOML does not calculate: write the result of 1/255"},
        {"a = 0.1*3\n", "a.toml:1:8: ", "; TOML does not calculate: write the result of 0.1*3"},
        {"a = 2+3\n", "a.toml:1:5: ", "; TOML does not calculate: write the result of 2+3"},
        {"a = 10-1\n", "a.toml:1:7: ", "; TOML does not calculate: write the result of 10-1"},
        {"a = (1 + 2)\n", "a.toml:1:5: ", "; TOML does not calculate: write the result of (1 + 2)"},
        {"a = sqrt(2)\n", "a.toml:1:5: ", "; TOML does not calculate: write the result of sqrt(2)"},
        {"a = [1 / 2, 1]\n", "a.toml:1:8: ", "; TOML does not calculate: write the result of 1 / 2"},
        {"a = { b = 1 * 2, c = 3 }\n", "a.toml:1:13: ", "; TOML does not calculate: write the result of 1 * 2"},
        {"a = 007\n", "a.toml:1:8: ", "; a number has no leading zeros: write 7, or \"007\" if it is a name"},
        {"a = [-01.50]\n", "a.toml:1:8: ", "; a number has no leading zeros: write -1.50, or "},
        {"a = 00\n", "a.toml:1:7: ", "; a number has no leading zeros: write 0, or "},
        {"a = 1e\n", "a.toml:1:7: ", "; '1e' has no whole number after its e: write an exponent as in 1e-3"},
        {"a = { b = 1.5e- }\n", "a.toml:1:", "; '1.5e-' has no whole number after its e"},
        {"a = 1e-3.5\n", "a.toml:1:9: ", "; '1e-3.5' has no whole number after its e"},
        {"a = 1.e3\n", "a.toml:1:7: ", "; a decimal point needs digits on both sides"},
        {"a = -.5\n", "a.toml:1:6: ", "; a decimal point needs digits on both sides"},
        {"a = 1.2.3\n", "a.toml:1:8: ", "; '1.2.3' is not a number: a number has one decimal point"},
        {"a = --1\n", "a.toml:1:6: ", "; '--1' is not a number: one sign is enough"},
        {"a = 1_\n", "a.toml:1:6: ", "; an underscore in a number must be between two digits"},
        {"a = 0xG\n", "a.toml:1:7: ", "; '0xG' is not a number: 0x begins a hexadecimal number"},
        {"a = 5min\n", "a.toml:1:6: ", "; write a value with a unit as a string: \"5min\""},
        {"a = 12:30\n", "a.toml:1:10: ", "; a string needs quotes: \"12:30\""},
        {"a = Inf\n", "a.toml:1:5: ", "; write infinity as inf and not-a-number as nan, in lower case"},
        {"a = 99999999999999999999\n", "a.toml:1:25: ", "; the largest integer is 9223372036854775807"},
        {"a = 1e999\n", "a.toml:1:10: ", "; the largest number is about 1.8e308"},
        {"a = 2026-13-01\n", "a.toml:1:12: ", "; dates and times are not supported: a string needs quotes"},
        {"a = tru\n", "a.toml:1:8: ", "; a string needs quotes: \"tru\""},
        {"a = ~/data\n", "a.toml:1:5: ", "; a string needs quotes: \"~/data\""},
        {"a = ./data\n", "a.toml:1:5: ", "; a string needs quotes: \"./data\""},
        {"a =\n", "a.toml:1:4: ", "; 'a' has no value: write one, or leave the key out"},
        {"a =", "a.toml:1:4: ", "; 'a' has no value: write one, or leave the key out"},
        {"a = # none\n", "a.toml:1:5: ", "; 'a' has no value: write one, or leave the key out"},
        {"a = { x = 1, b.c = }\n", "a.toml:1:20: ", "; 'b.c' has no value: write one, or leave the key out"},
        {"a = #FF0000\n", "a.toml:1:5: ", "; # begins a comment: a string needs quotes: \"#FF0000\""},
        {"a => 1\n", "a.toml:1:4: ", "; a key and its value are written key = value"},
        {"a = b = 2\n", "a.toml:1:5: ", "; a line holds one key = value"},
        {"a = 1 b = 2\n", "a.toml:1:7: ", "; a line holds one key = value"},
    });
}

TEST(TomlAdvice, says_what_is_right_of_strings) {
    expect_advice({
        {"a = \"C:\\Users\\me\"\n",
         "a.toml:1:10: ", "; write \\\\ for a backslash, or put the string in single quotes: 'C:\\Users\\me'"},
        {"a = [\"..\\img\"]\n", "a.toml:1:", "or put the string in single quotes: '..\\img'"},
        {"a = 1\nb = \"C:\\new\\x\"\n", "a.toml:2:5: \"C:\\new\\x\" is a path whose \\n is a control character; ",
         "; write \\\\ for a backslash, or put the string in single quotes: 'C:\\new\\x'"},
        {"b = \"..\\train\"\n", "a.toml:1:5: \"..\\train\" is a path whose \\t is", "single quotes: '..\\train'"},
        {"a = \"C:\\\\data\\\"\n", "a.toml:1:", "; the backslash before the last quote makes it a part of the string"},
        {"a = \"adam", "a.toml:1:10: ", "; the string has no closing quote on its line"},
        {"a = adam\"\n", "a.toml:1:5: ", "; the string has no opening quote"},
        {"a = [\"x, \"y\"]\n", "a.toml:1:11: ", "; a string in this line lacks one of its quotes (\")"},
        {"b = 1\na = \"\"\"adam\nc = 1\n", "a.toml:3:", "; the \"\"\" in line 2 is never closed"},
        {"a = '''adam\n", "a.toml:1:", "; the ''' in line 1 is never closed"},
        {"a = 'don't'\n", "a.toml:1:10: ", "; put a string that contains ' in double quotes"},
        {"a = \"x\" y\n", "a.toml:1:9: ", "; only a comment may follow a string on its line"},
        {"a = \"x\x01y\"\n", "a.toml:1:7: ", "; write it as \\u0001"},
    });
}

TEST(TomlAdvice, says_what_is_right_of_lines) {
    expect_advice({
        {"// two\na = 1\n", "a.toml:1:1: ", "; a comment begins with #"},
        {"/* two */\n", "a.toml:1:1: ", "; a comment begins with #"},
        {"; two\n", "a.toml:1:1: ", "; a comment begins with #"},
        {"[a] // two\n", "a.toml:1:5: ", "; a comment begins with #"},
        {"a = [1, // two\n 2]\n", "a.toml:1:9: ", "; a comment begins with #"},
        {"a = [\n 1 // two\n]\n", "a.toml:2:4: ", "; a comment begins with #"},
        {"a = 1// two\n", "a.toml:1:6: ", "; a comment begins with #"},
        {"a = // two\n", "a.toml:1:5: ", "; a comment begins with #"},
        {"a = [32 32]\n", "a.toml:1:9: ", "; a comma is missing before '32'"},
        {"a = { b = 8 size = 2 }\n", "a.toml:1:13: ", "; a comma is missing before 'size'"},
        {"a = [\n { b = 1 }\n { b = 2 }\n]\n",
         "a.toml:3:2: ", "; a comma is missing between this item and the one before"},
        {"a = [\n [1, 2]\n [3, 4]\n]\n", "a.toml:3:2: ", "; a comma is missing between this item and the one before"},
        {"a = [1; 2]\n", "a.toml:1:7: ", "; values are separated by commas"},
        {"a = [1,,2]\n", "a.toml:1:8: ", "; write one comma between two values"},
        {"a = [1, 2\nb = 3\n", "a.toml:2:1: ", "; an array that begins before this line has no closing ]"},
        {"a = [1, 2\n", "a.toml:1:", "; an array has no closing ]"},
        {"<<<<<<< HEAD\na = 1\n", "a.toml:1:1: ", "; this is a merge conflict marker: keep one of the two sides"},
        {"= 1\n", "a.toml:1:1: ", "; the key before the = is missing"},
        {"a. = 1\n", "a.toml:1:4: ", "; a key consists of letters, digits, _ and -, or is in quotes"},
        {"a = [\n 1\n]]\n", "a.toml:3:2: ", "; only a comment may follow a value on its line"},
        {"[[a]\n", "a.toml:1:5: ", "; write the name of an array of tables in double brackets: [[name]]"},
        {"[a] b = 1\n", "a.toml:1:5: ", "; write the keys of a table below its name, one on each line"},
    });
}

TEST(TomlAdvice, names_the_line_of_the_first_of_two) {
    expect_advice({
        {"x = 1\n[train]\na = 1\n[[train]]\nb = 1\n", "a.toml:4:1: ",
         "; line 2 writes [train]: a table is written [train] once, an array of tables [[train]] each time"},
        {"[[train]]\na = 1\n[train]\nb = 1\n", "a.toml:3:1: ",
         "; line 1 writes [[train]]: a table is written [train] once, an array of tables [[train]] each time"},
        {"train = { a = 1 }\n[train]\nb = 1\n", "a.toml:2:1: ", "; line 1 sets 'train': keep one of the two"},
        {"[model]\nlayers = []\n[[model.layers]]\n", "a.toml:3:1: ", "; line 2 sets 'layers': keep one of the two"},
        {"a = 1\na.b = 2\n", "a.toml:2:1: ", "; line 1 sets 'a': keep one of the two"},
        {"a.b = 1\na = 2\n", "a.toml:2:5: ", "; line 1 sets 'a.b': keep one of the two"},
        {"[[x]]\na = 1\n[[x]]\na = 2\na = 3\n", "a.toml:5:", "; line 4 sets 'a': keep one of the two"},
        {"a = { b = 1, b = 2 }\n", "a.toml:1:18: ", "; it is defined already: keep one of the two"},
    });
}

// A log keeps a message whole if it is one line.
TEST(TomlAdvice, is_one_line) { EXPECT_EQ(refusal_of("a = tru\nb = 1\n").find('\n'), std::string::npos); }

TEST(TomlAdvice, is_none_if_nothing_is_known) {
    EXPECT_EQ(refusal_of("a = \"\"\"b\\ c\"\"\"\n"),
              "a.toml:1:11: Error while parsing string: "
              "line-ending backslashes must be the last non-whitespace character on the line");
}

TEST(TomlAdvice, is_none_for_what_is_right) {
    for (const char* const text : {"\ta = 1\n", "a = 'x\ty'\n", "[a]\n[a.b]\n", "a = [\n  { b = 1 },\n]\n",
                                   "a = 'C:\\new'\nb = \"C:\\\\new\"\nc = \"\\t\"\n"}) {
        EXPECT_EQ(refusal_of(text), "accepted") << text;
    }
}

}  // namespace
}  // namespace sluice
