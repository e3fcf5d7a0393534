#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/toml/toml.hpp"
#include "base/toml/toml_guard.hpp"

namespace sluice {
namespace {

std::string message_of(const std::string& text) {
    try {
        (void)parse_toml(text, "a.toml");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(TomlGuard, stray_letters_are_named_with_their_place) {
    const std::string why = " is allowed only in quotes or in a comment";
    EXPECT_EQ(message_of("a = 1\nq\u027B = 1\n"), "a.toml:2:2: '\u027B'" + why);
    EXPECT_EQ(message_of("a = '\u00E4\u00E4' \u00E4"), "a.toml:1:10: '\u00E4'" + why);
    EXPECT_EQ(message_of("\u00A0a = 1"), "a.toml:1:1: '\u00A0'" + why + "; it is a no-break space: write a plain one");
    EXPECT_EQ(message_of("\u201Ca\u201D = 1"), "a.toml:1:1: '\u201C'" + why + "; write straight quotes (\")");
    EXPECT_EQ(message_of("a = \"\"\u00FC\"\""), "a.toml:1:7: '\u00FC'" + why);
    EXPECT_EQ(message_of("a = '''b'''''\u00FC"), "a.toml:1:14: '\u00FC'" + why);
}

TEST(TomlGuard, stray_letters_cannot_hide_in_quotes_within_a_value) {
    const std::string why = " is not allowed in a value that does not begin with a quote";
    EXPECT_EQ(message_of("a=2\"\u027B"), "a.toml:1:5: '\u027B'" + why);
    EXPECT_EQ(message_of("a = 2=\"\u027B\""), "a.toml:1:8: '\u027B'" + why);
    EXPECT_EQ(message_of("a = [ 1, 2.'\u027B']"), "a.toml:1:13: '\u027B'" + why);
    EXPECT_EQ(message_of("a = [[\n2.'\u027B']]"), "a.toml:2:4: '\u027B'" + why);
    EXPECT_EQ(message_of("a = { b = [1], c = x\"\u027B\" }"), "a.toml:1:22: '\u027B'" + why);
    EXPECT_EQ(message_of("a = 2026-11-24 2\"\u027B\""), "a.toml:1:18: '\u027B'" + why);
    EXPECT_EQ(message_of("[a.\"\u027B\"]\nb.'\u027B'={ 'c'=1,d.\"\u027B\"=\"\u027B\"}\ne=[ # '\n'\u027B',\"\u027B\"]"),
              "");
    EXPECT_EQ(message_of("a = [{ b = 1, \"\u027B\"=\"\u027B\" }, '\u027B', 2]\n[[x.'\u027B']]\n'\u027B' = 1"), "");
}

TEST(TomlGuard, stray_letters_cannot_begin_a_line_that_goes_on) {
    const std::string why =
        " cannot be the first character after a backslash at the end of a line; write it as \\u and its number";
    EXPECT_EQ(message_of("a = \"\"\"b \\\n  \u00E4\"\"\""), "a.toml:2:3: '\u00E4'" + why);
    EXPECT_EQ(message_of("a = \"\"\"\\\u00E4\"\"\""), "a.toml:1:9: '\u00E4'" + why);
}

TEST(TomlGuard, stray_letters_are_none_in_quotes_and_comments) {
    for (const std::string text :
         {"\xEF\xBB\xBF# \u027B\na = \"\u00E4\" # \u00FC '\n\"\u00F6\" = '\u00E4\\' # \u00E4\n", "a = \"\\\"\u00E4\"",
          "a = \"\"\"\n\u00E4 \"\" \\\" \\\n  b \u00E4\"\"\"\"\" # \u00E4", "a = '''\n\u00E4 '' \\\n  \u00E4'''",
          "a = \"\" # \u00E4\nb = '' # \u00E4"}) {
        EXPECT_EQ(message_of(text), "") << text;
    }
    EXPECT_EQ(std::get<std::string>(parse_toml("a = \"\"\"\u00E4 \\\n  b\u00E4\"\"\"", "a.toml").find("a")->data),
              "\u00E4 b\u00E4");
}

TEST(TomlGuard, other_files_are_named) {
    EXPECT_EQ(message_of(std::string("\xFF\xFEv\0", 4)),
              "a.toml: not a TOML file but text in UTF-16; text in UTF-8 is needed");
    EXPECT_EQ(message_of("\x1F\x8B\x08"), "a.toml: not a TOML file but gzip data; text in UTF-8 is needed");
    EXPECT_EQ(message_of("<!DOCTYPE html>\n"),
              "a.toml: not a TOML file but an HTML page (a download has to fetch the file itself); "
              "text in UTF-8 is needed");
    EXPECT_EQ(message_of("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
              "a.toml: not a TOML file but a Git LFS pointer (`git lfs pull` fetches the file itself); "
              "text in UTF-8 is needed");
    EXPECT_EQ(message_of("a\x01\xFF"),
              "a.toml:1:3: not a TOML file but binary data with byte 0xff; text in UTF-8 is needed");
}

// Wrong bytes are found in strings and comments, too.
TEST(TomlGuard, other_encodings_are_named_with_their_place) {
    const std::string latin = ", as in Latin-1 (`iconv -f WINDOWS-1252 -t UTF-8` converts it); text in UTF-8 is needed";
    EXPECT_EQ(message_of("a = 1\n# caf\xE9\n"), "a.toml:2:6: not a TOML file but text with byte 0xe9" + latin);
    EXPECT_EQ(message_of("a = '\u00E4\x93'\n"), "a.toml:1:7: not a TOML file but text with byte 0x93" + latin);
}

std::string times(int count, const std::string& text) {
    std::string out;
    for (int i = 0; i < count; ++i) {
        out += text;
    }
    return out;
}

TEST(TomlGuard, keys_have_so_many_parts) {
    const std::string why = "a key has more than 64 parts";
    EXPECT_EQ(message_of(times(63, "a.") + "a = 1"), "");
    EXPECT_EQ(message_of(times(64, "a.") + "a = 1"), "a.toml:1:128: " + why);
    EXPECT_EQ(message_of("\n[" + times(20000, "a.") + "a]"), "a.toml:2:129: " + why);
    EXPECT_EQ(message_of(times(20000, "'a' . \"b\" . ") + "a = 1").substr(0, 9), "a.toml:1:");
    EXPECT_EQ(message_of("b = [" + times(500, "0.5, ") + "]\na = '" + times(500, ".") + "' #" + times(500, ".")), "");
}

TEST(TomlGuard, brackets_are_so_deep) {
    const std::string why = "keys and brackets are nested more than 64 deep";
    EXPECT_EQ(message_of("a = " + times(64, "[") + times(64, "]")), "");
    EXPECT_EQ(message_of("a = " + times(65, "[") + times(65, "]")), "a.toml:1:69: " + why);
    EXPECT_EQ(message_of("a = " + times(65, "{ a = ")), "a.toml:1:389: " + why);
    EXPECT_EQ(message_of(times(300, "[[a]]\nb = [{ c = [] }, '[[[']\n")), "");
    // A bracket counts with each part of the key whose value it is.
    EXPECT_EQ(message_of(times(63, "a.") + "a = [1]"), "");
    EXPECT_EQ(message_of("a.a = " + times(31, "{ a.a = ") + "{}" + times(31, "}")), "");
    EXPECT_EQ(message_of("a.a = " + times(32, "{ a.a = ") + "{}" + times(32, "}")), "a.toml:1:263: " + why);
}

// The guard leaves other mistakes to the parser, which reports them at their own place.
TEST(TomlGuard, stray_letters_do_not_hide_what_is_never_closed) {
    EXPECT_EQ(message_of("a = \"\u00E4\nb = 1").substr(0, 9), "a.toml:1:");
    EXPECT_NE(message_of("a = '''\u00E4\nb = 1"), "");
    EXPECT_NE(message_of("a = \"\"\"\\"), "");
}

}  // namespace
}  // namespace sluice
