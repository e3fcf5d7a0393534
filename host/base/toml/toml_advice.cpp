#include "base/toml/toml_advice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/toml/toml_redefinition.hpp"
#include "base/toml/toml_value.hpp"
#include "base/toml/toml_words.hpp"

namespace sluice {
namespace {

// Returns the number of bytes of the line before `column`, which counts characters from 1.
std::size_t bytes_before(std::string_view line, std::size_t column) {
    std::size_t bytes = 0;
    for (std::size_t characters = 1; bytes < line.size(); ++bytes) {
        const bool is_first = (static_cast<unsigned char>(line[bytes]) & 0xC0U) != 0x80;
        if (is_first && characters++ == column) {
            break;
        }
    }
    return bytes;
}

// True if `before`, the line up to the error, opens more of these brackets than it closes.
bool is_open(std::string_view before, char open, char close) {
    return std::ranges::count(before, open) > std::ranges::count(before, close);
}

// Advice if the text stops too early.
std::string on_end(std::string_view text, const TomlError& stop) {
    const std::string_view line = line_of(text, stop.line);
    const auto mentions = [&](std::string_view part) { return stop.description.find(part) != stop.description.npos; };
    if (mentions("string")) {
        const std::string_view quotes = mentions("literal") ? "'''" : "\"\"\"";
        const std::size_t begin = text.rfind(quotes);
        return begin == text.npos ? "; the string has no closing quote on its line"
                                  : fmt::format("; the {} in line {} is never closed", quotes,
                                                std::ranges::count(text.substr(0, begin), '\n') + 1);
    }
    if (mentions("array")) {
        return "; an array has no closing ]";
    }
    if (mentions("inline table")) {
        return "; write an inline table { ... } on one line, or as a table [...]";
    }
    const std::string_view key = without_spaces(line.substr(0, line.find('=')));
    return mentions("key-value") && line.find('=') != line.npos
               ? fmt::format("; '{}' has no value: write one, or leave the key out", key)
               : "; a key and its value are written key = value";
}

// Advice on an = without a value.
std::string on_no_value(std::string_view line, std::size_t at) {
    if (line.substr(at).starts_with('#') && at + 1 < line.size() && line[at + 1] != ' ') {
        return fmt::format("; # begins a comment: a string needs quotes: \"{}\"", without_spaces(line.substr(at)));
    }
    const std::string_view before = line.substr(0, line.find_last_of('=', at));
    const std::size_t begin = before.find_last_of("{,") + 1;  // npos + 1 is 0
    return fmt::format("; '{}' has no value: write one, or leave the key out", without_spaces(before.substr(begin)));
}

// Advice on a backslash in a string. It shows the string if the line contains all of it.
std::string on_escape(std::string_view line, std::size_t at) {
    const std::size_t open = at == 0 ? line.npos : line.find_last_of('"', at - 1);
    const std::size_t close = open == line.npos ? open : line.find('"', open + 1);
    const std::string_view inner = close == line.npos ? "" : line.substr(open + 1, close - open - 1);
    const std::string shown = inner.empty() || inner.find('\'') != inner.npos ? "" : fmt::format(": '{}'", inner);
    return "; write \\\\ for a backslash, or put the string in single quotes" + shown;
}

// Advice on a control character in a string; the end of the line is one too.
std::string on_control(std::string_view line, std::size_t at) {
    if (without_spaces(line.substr(std::min(at, line.size()))).empty()) {
        return line.substr(0, line.find_last_not_of(" \t\r") + 1).ends_with("\\\"")
                   ? "; the backslash before the last quote makes it a part of the string: write \\\\"
                   : "; the string has no closing quote on its line";
    }
    return fmt::format("; write it as \\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(line[at])));
}

// Advice on text that follows an item of an array or a value of an inline table.
std::string on_separator(std::string_view line, std::size_t at, bool is_array) {
    const std::string_view rest = line.substr(std::min(at, line.size()));
    if (rest.starts_with("//") || rest.starts_with("/*")) {
        return "; a comment begins with #";
    }
    if (rest.starts_with(is_array ? '}' : ']') || rest.starts_with(')')) {
        return is_array ? "; an array [ ... ] is closed by ]" : "; an inline table { ... } is closed by }";
    }
    if (!rest.empty() && std::string_view("*/+-^").find(rest.front()) != rest.npos) {
        return advice_on_value(line, at);
    }
    for (const char quote : {'"', '\''}) {
        if (std::ranges::count(line, quote) % 2 == 1) {
            return fmt::format("; a string in this line lacks one of its quotes ({})", quote);
        }
    }
    const bool is_first = without_spaces(line.substr(0, at)).empty();
    const bool is_key = rest.find('=') < rest.find_first_of("{\"'");
    const bool is_header = rest.starts_with('[') && rest.size() > 1 && (is_letter(rest[1]) || rest[1] == '[');
    if (is_array && is_first && (is_key || is_header)) {
        return "; an array that begins before this line has no closing ]";
    }
    return is_array && is_first
               ? "; a comma is missing between this item and the one before it"
               : fmt::format("; a comma is missing before '{}'", rest.substr(0, rest.find_first_of(" ,]}")));
}

// Advice on a line that begins with none of a key, a table and a comment.
std::string on_line(std::string_view line, std::size_t at) {
    const std::string_view rest = line.substr(std::min(at, line.size()));
    if (rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with(';')) {
        return "; a comment begins with #";
    }
    if (rest.starts_with("<<<<<<<") || rest.starts_with("=======") || rest.starts_with(">>>>>>>")) {
        return "; this is a merge conflict marker: keep one of the two sides";
    }
    if (rest.starts_with('{')) {
        return "; a pipeline is TOML, not JSON";
    }
    return rest.starts_with('=') ? "; the key before the = is missing"
                                 : "; a line holds key = value, a [table], or a comment after #";
}

// Advice on a table header and the text that follows it.
std::string on_header(std::string_view line, std::size_t at) {
    const std::string_view rest = line.substr(std::min(at, line.size()));
    if (rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with(';')) {
        return "; a comment begins with #";
    }
    const bool is_array = without_spaces(line).starts_with("[[");
    if (rest.find('=') != rest.npos) {
        return "; write the keys of a table below its name, one on each line";
    }
    return is_array ? "; write the name of an array of tables in double brackets: [[name]]"
                    : "; write the name of a table in brackets: [name]";
}

}  // namespace

std::string toml_advice(std::string_view text, const TomlError& stop) {
    const std::string_view what = stop.description;
    const std::string_view line = line_of(text, stop.line);
    const std::size_t at = bytes_before(line, stop.column);
    const auto mentions = [&](std::string_view part) { return what.find(part) != what.npos; };
    if (mentions("cannot redefine") || mentions("cannot insert")) {
        return advice_on_redefinition(text, stop);
    }
    if (mentions("end-of-file")) {
        return on_end(text, stop);
    }
    if (mentions("string") && mentions("control character")) {
        return on_control(line, at);
    }
    if (mentions("escape sequence") || mentions("unicode scalar")) {
        return on_escape(line, at);
    }
    if (mentions("after '\\r'")) {
        return "; lines end in LF or CR LF";
    }
    if (mentions("parsing root table")) {
        return on_line(line, at);
    }
    if (mentions("parsing key:")) {
        return "; a key consists of letters, digits, _ and -, or is in quotes; dots join such parts";
    }
    if (mentions("table header")) {
        return on_header(line, at);
    }
    if (mentions("expected '='")) {
        return without_spaces(line).starts_with("-- ") ? "; a comment begins with #"
                                                       : "; a key and its value are written key = value";
    }
    if (mentions("expected value, saw")) {
        return on_no_value(line, at);
    }
    if (mentions("dangling comma")) {
        return "; remove the comma before the }";
    }
    if (mentions("saw comma")) {
        return "; write one comma between two values";
    }
    if (mentions("inline table") && (mentions("saw '\\n'") || mentions("saw '\\r'"))) {
        return "; write an inline table { ... } on one line, or as a table [...]";
    }
    const bool is_array = is_open(line.substr(0, at), '[', ']');
    const bool is_table = is_open(line.substr(0, at), '{', '}');
    if (mentions("parsing array") || mentions("parsing inline table")) {
        return on_separator(line, at, mentions("parsing array"));
    }
    if (mentions("saw ';'")) {
        return is_array || is_table ? "; values are separated by commas" : advice_on_rest(line, line.find(';'));
    }
    if (mentions("saw ')'")) {
        return "; an array [ ... ] is closed by ]";
    }
    if (mentions("comment or whitespace")) {
        return advice_on_rest(line, at);
    }
    if (mentions("not representable")) {
        return "; the largest integer is 9223372036854775807";
    }
    if (mentions("could not be interpreted")) {
        return "; the largest number is about 1.8e308";
    }
    if (mentions("month") || mentions("day") || mentions("hour") || mentions("minute") || mentions("second")) {
        return "; dates and times are not supported: a string needs quotes";
    }
    return advice_on_value(line, at);
}

}  // namespace sluice
