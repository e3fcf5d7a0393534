#include "base/toml_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace sluice {
namespace {

bool is_white_in_line(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view without_spaces(std::string_view text) {
    while (!text.empty() && is_white_in_line(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_white_in_line(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

std::string_view line_of(std::string_view text, std::size_t number) {
    for (; number > 1 && !text.empty(); --number) {
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
    return text.substr(0, text.find('\n'));
}

// Bytes of the line before a column, which counts characters.
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

// The value that the place lies in, as it was written without quotes.
std::string_view bare_value(std::string_view line, std::size_t at) {
    const std::size_t before = line.find_last_of("=[,{ \t", at == 0 ? 0 : at - 1);
    const std::size_t begin = before == line.npos ? 0 : before + 1;
    return without_spaces(line.substr(begin, line.find_first_of(",]}#", begin) - begin));
}

std::string small(std::string_view text) {
    std::string letters(text);
    std::ranges::transform(letters, letters.begin(), [](unsigned char c) { return std::tolower(c); });
    return letters;
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// What the parser names in quotes after `before`.
std::string_view quoted_after(std::string_view text, std::string_view before) {
    const std::size_t at = text.find(before);
    const std::size_t begin = at == text.npos ? at : text.find('\'', at + before.size());
    const std::size_t end = text.rfind('\'');
    return begin == text.npos || end <= begin ? "" : text.substr(begin + 1, end - begin - 1);
}

// The number of the line, before `end`, that opens this table or sets this key of the same table; 0: none is found.
std::size_t first_line_of(std::string_view text, std::string_view name, std::size_t end, bool is_table) {
    std::size_t found = 0;
    for (std::size_t number = 1; number < end && !text.empty(); ++number) {
        const std::size_t bytes = std::min(text.find('\n'), text.size());
        const std::string_view line = without_spaces(text.substr(0, bytes));
        text.remove_prefix(std::min(bytes + 1, text.size()));
        const bool is_header = line.starts_with('[');
        if (is_header && !is_table) {
            found = 0;  // what was set before is of another table
        }
        const std::string_view what = is_header ? line.substr(1, line.find(']') - 1) : line.substr(0, line.find('='));
        if (is_header == is_table && without_spaces(what) == name) {
            found = number;
        }
    }
    return found;
}

std::string of_twice(std::string_view text, const TomlStop& stop) {
    const bool is_table = stop.description.find("existing table") != stop.description.npos;
    const std::string_view name = quoted_after(stop.description, "existing");
    const std::size_t first = first_line_of(text, name, stop.line, is_table);
    if (first == 0) {
        return is_table ? "; it is there already: put all of its keys into one table" : "";
    }
    return is_table ? fmt::format("; [{}] begins in line {}: put the keys of both into one table", name, first)
                    : fmt::format("; line {} sets '{}': keep one of the two", first, name);
}

// Of a value that begins with a letter or with a sign that no value begins with.
std::string of_value(std::string_view value) {
    const std::string word = small(value);
    if (word == "true" || word == "false" || word == "yes" || word == "no" || word == "on" || word == "off") {
        return "; booleans are true and false, in small letters";
    }
    if (word == "none" || word == "null" || word == "nil") {
        return "; TOML has no such value: leave the key out";
    }
    if (value.starts_with('=')) {
        return "; one = is enough";
    }
    const bool is_word = !value.empty() && is_letter(value.front()) && value.find_first_of("\"'=") == value.npos;
    return is_word ? fmt::format("; a string needs quotes: \"{}\"", value) : "";
}

// Of what follows a value in its line.
std::string of_rest(std::string_view line, std::size_t at) {
    const std::string_view rest = line.substr(std::min(at, line.size()));
    if (rest.starts_with("//")) {
        return "; a comment begins with #";
    }
    if (rest.starts_with(',') || rest.starts_with(';')) {
        const bool is_number = rest.size() > 1 && std::isdigit(static_cast<unsigned char>(rest[1])) != 0;
        return is_number ? "; numbers are written without commas" : "; nothing follows a value in its line";
    }
    const std::size_t equals = line.find('=');
    const bool has_unit = !rest.empty() && (is_letter(rest.front()) || rest.front() == '%') && equals < at;
    return has_unit ? fmt::format("; a value with a unit is a string: \"{}\"",
                                  without_spaces(line.substr(equals + 1, line.find('#') - equals - 1)))
                    : "";
}

}  // namespace

std::string toml_advice(std::string_view text, const TomlStop& stop) {
    const std::string_view what = stop.description;
    const std::string_view line = line_of(text, stop.line);
    const std::size_t at = bytes_before(line, stop.column);
    const auto says = [&](std::string_view part) { return what.find(part) != what.npos; };
    if (says("cannot redefine")) {
        return of_twice(text, stop);
    }
    if (says("inline table") && (says("saw '\\n'") || says("saw '\\r'"))) {
        return "; an inline table { ... } stands on one line, or is a table [...] of its own";
    }
    if (says("dangling comma")) {
        return "; no comma stands before the }";
    }
    if (says("string") && says("control character")) {
        return "; the string has no closing quote on its line";
    }
    if (says("escape")) {
        return "; write \\\\ for a backslash, or put the string in single quotes";
    }
    if (says("after '\\r'")) {
        return "; lines end in LF or CR LF";
    }
    if (says("expected '='")) {
        return "; a key and its value are written key = value";
    }
    if (says("root table") && says("'{'")) {
        return "; a pipeline is TOML, not JSON";
    }
    if (says("expected a comment or whitespace") || says("saw '%'") || says("saw ';'")) {
        return of_rest(line, at == 0 ? 0 : says("saw ';'") || says("saw '%'") ? line.find_first_of(";%") : at);
    }
    if (says("floating-point") && says("expected decimal digit")) {
        return "; a decimal point has digits on both sides";
    }
    if (says("table header") && says("expected ']'")) {
        return "; the name of a table stands in brackets: [name]";
    }
    if (says("parsing array") && without_spaces(line.substr(0, at)).empty()) {
        return "; an array that begins before this line has no closing ]";
    }
    const bool is_value = !says("expected comma") && !says("expected key") && !says("table");
    return is_value || says("inline table: expected value") ? of_value(bare_value(line, at)) : "";
}

}  // namespace sluice
