#include "base/toml/toml_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/toml/toml_words.hpp"

namespace sluice {
namespace {

constexpr std::string_view kDigits = "0123456789";

std::string small(std::string_view text) {
    std::string letters(text);
    std::ranges::transform(letters, letters.begin(), [](unsigned char c) { return std::tolower(c); });
    return letters;
}

bool is_number_like(std::string_view value) {
    value.remove_prefix(std::min(value.find_first_not_of("+-"), value.size()));
    return !value.empty() && (is_digit(value.front()) || (value.size() > 1 && value[0] == '.' && is_digit(value[1])));
}

// True for arithmetic such as "1e-3 * 2", "1/255", "10-1", "2^10" or "(1 + 2)".
bool is_sum(std::string_view value) {
    for (std::size_t i = 1; i + 1 < value.size(); ++i) {
        const std::string_view before = without_spaces(value.substr(0, i));
        const bool is_exponent = value[i - 1] == 'e' || value[i - 1] == 'E';
        const bool is_operator = std::string_view("*/^%").find(value[i]) != value.npos ||
                                 ((value[i] == '+' || value[i] == '-') && !is_exponent && !before.empty());
        if (is_operator && !without_spaces(value.substr(i + 1)).empty()) {
            return true;
        }
    }
    return false;
}

// Turns "007" into "7" and "-01.50" into "-1.50".
std::string without_leading_zeros(std::string_view number) {
    const std::size_t sign = number.starts_with('-') || number.starts_with('+') ? 1 : 0;
    std::string_view digits = number.substr(sign);
    while (digits.size() > 1 && (digits[0] == '0' || digits[0] == '_') && (is_digit(digits[1]) || digits[1] == '_')) {
        digits.remove_prefix(1);
    }
    return std::string(number.substr(0, sign)) + std::string(digits);
}

bool has_leading_zeros(std::string_view number) {
    number.remove_prefix(number.starts_with('-') || number.starts_with('+') ? 1 : 0);
    return number.size() > 1 && number[0] == '0' && (is_digit(number[1]) || number[1] == '_');
}

std::string on_unit(std::string_view value) {
    return fmt::format("; write a value with a unit as a string: \"{}\"", value);
}

std::string on_exponent(std::string_view value) {
    return fmt::format("; '{}' has no whole number after its e: write an exponent as in 1e-3", value);
}

// Advice on a value that begins like a number.
std::string on_number(std::string_view value) {
    std::string_view rest = value.substr(value.find_first_not_of("+-"));
    if (rest.size() + 1 < value.size()) {
        return fmt::format("; '{}' is not a number: one sign is enough", value);
    }
    if (value.find("//") != value.npos) {
        return "; a comment begins with #";
    }
    if (is_sum(value)) {
        return fmt::format("; TOML does not calculate: write the result of {}", value);
    }
    if (rest.starts_with("0x") || rest.starts_with("0o") || rest.starts_with("0b") || rest.starts_with("0X") ||
        rest.starts_with("0O") || rest.starts_with("0B")) {
        return fmt::format("; '{}' is not a number: 0x begins a hexadecimal number, 0o an octal one, 0b a binary one",
                           value);
    }
    if (value.find("__") != value.npos || value.ends_with('_')) {
        return "; an underscore in a number must be between two digits";
    }
    const std::size_t whole = std::min(rest.find_first_not_of("0123456789_"), rest.size());
    const bool has_point = rest.substr(whole).starts_with('.');
    const std::size_t part = has_point ? rest.find_first_not_of("0123456789_", whole + 1) : whole;
    if (has_point && (whole == 0 || whole + 1 == std::min(part, rest.size())) &&
        !rest.substr(whole + 1).starts_with('.')) {
        return "; a decimal point needs digits on both sides";
    }
    rest.remove_prefix(std::min(part, rest.size()));
    if (has_point && rest.starts_with('.')) {
        return fmt::format("; '{}' is not a number: a number has one decimal point, and a string needs quotes", value);
    }
    if (rest.starts_with('e') || rest.starts_with('E')) {
        rest.remove_prefix(1);
        rest.remove_prefix(rest.starts_with('-') || rest.starts_with('+') ? 1 : 0);
        const std::size_t exponent = std::min(rest.find_first_not_of(kDigits), rest.size());
        if (exponent == 0 || rest.substr(exponent).starts_with('.')) {
            return on_exponent(value);
        }
        rest.remove_prefix(exponent);
    }
    if (has_leading_zeros(value)) {
        return fmt::format("; a number has no leading zeros: write {}, or \"{}\" if it is a name",
                           without_leading_zeros(value), value);
    }
    if (rest.empty() || is_digit(rest.front())) {
        return "";
    }
    return is_letter(rest.front()) || rest == "%" ? on_unit(value)
                                                  : fmt::format("; a string needs quotes: \"{}\"", value);
}

std::string on_word(std::string_view value) {
    const std::string word = small(value);
    if (word == "true" || word == "false" || word == "yes" || word == "no" || word == "on" || word == "off") {
        return "; booleans are true and false, in lower case";
    }
    if (word == "none" || word == "null" || word == "nil") {
        return "; TOML has no such value: leave the key out";
    }
    if (word == "inf" || word == "infinity" || word == "nan") {
        return "; write infinity as inf and not-a-number as nan, in lower case";
    }
    if (value.find('(') != value.npos) {
        return fmt::format("; TOML does not calculate: write the result of {}", value);
    }
    return fmt::format("; a string needs quotes: \"{}\"", value);
}

}  // namespace

std::string advice_on_value(std::string_view line, std::size_t at) {
    const std::string_view value = bare_value(line, at);
    if (value.empty()) {
        return "";
    }
    if (value.starts_with('=')) {
        return "; one = is enough";
    }
    if (value.starts_with("//") || value.starts_with("/*")) {
        return "; a comment begins with #";
    }
    if (value.starts_with('>')) {
        return "; a key and its value are written key = value";
    }
    if (value.starts_with('`')) {
        return "; a string needs quotes: \" or '";
    }
    if (value.starts_with('(')) {
        const std::string_view from = line.substr(static_cast<std::size_t>(value.data() - line.data()));
        const std::string_view inner = from.substr(1, std::min(from.find(')'), from.size()) - 1);
        return inner.find(',') == inner.npos && is_number_like(inner) && is_sum(inner)
                   ? fmt::format("; TOML does not calculate: write the result of {}", value)
                   : fmt::format("; '(' cannot begin a value: write an array as [{}]", inner);
    }
    if (is_number_like(value)) {
        return on_number(value);
    }
    if (value == "+" || value == "-" || value == ".") {
        return fmt::format("; '{}' is not a number", value);
    }
    const bool is_quote_last = value.ends_with('"') || value.ends_with('\'');
    if (is_quote_last && value.find_first_of("\"'") + 1 == value.size()) {
        return "; the string has no opening quote";
    }
    if (value.find_first_of("\"'") != value.npos) {
        return "";
    }
    return value.find('=') == value.npos ? on_word(value) : "; a line holds one key = value";
}

std::string advice_on_rest(std::string_view line, std::size_t at) {
    const std::string_view rest = line.substr(std::min(at, line.size()));
    if (rest.starts_with("//") || rest.starts_with("/*")) {
        return "; a comment begins with #";
    }
    if (rest.starts_with(',') || rest.starts_with(';')) {
        return rest.size() > 1 && is_digit(rest[1]) ? "; write numbers without commas"
                                                    : "; only a comment may follow a value on its line";
    }
    const std::size_t equals = line.find('=');
    if (rest.empty() || equals >= at) {
        return "; only a comment may follow a value on its line";
    }
    if (rest.find('=') != rest.npos) {
        return "; a line holds one key = value";
    }
    const std::string_view value = without_spaces(line.substr(equals + 1, line.find('#') - equals - 1));
    if (value.starts_with('"') || value.starts_with('\'')) {
        return std::ranges::count(value, value.front()) % 2 == 1
                   ? fmt::format("; put a string that contains {} in {}", value.front(),
                                 value.front() == '"' ? "single quotes" : "double quotes")
                   : "; only a comment may follow a string on its line";
    }
    if (is_number_like(value)) {
        return is_sum(value) ? fmt::format("; TOML does not calculate: write the result of {}", value)
               : is_letter(rest.front()) || rest.front() == '%' ? on_unit(value)
                                                                : on_number(value);
    }
    return is_letter(rest.front()) ? fmt::format("; a string needs quotes: \"{}\"", value)
                                   : "; only a comment may follow a value on its line";
}

}  // namespace sluice
