// Takes a wrong line of TOML apart, for advice on it.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

namespace sluice {

inline bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
inline bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

inline std::string_view without_spaces(std::string_view text) {
    constexpr std::string_view kWhite = " \t\r\n";
    text.remove_prefix(std::min(text.find_first_not_of(kWhite), text.size()));
    return text.substr(0, text.find_last_not_of(kWhite) + 1);  // npos + 1 is 0
}

// Returns line `number`, which counts from 1.
inline std::string_view line_of(std::string_view text, std::size_t number) {
    for (; number > 1 && !text.empty(); --number) {
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
    return text.substr(0, text.find('\n'));
}

// Returns the value without quotes that contains byte `at` of the line, or that this byte follows.
inline std::string_view bare_value(std::string_view line, std::size_t at) {
    const std::size_t before = at == 0 ? line.npos : line.find_last_of("=[,{", at - 1);
    const std::size_t begin = before == line.npos ? 0 : before + 1;
    return without_spaces(line.substr(begin, line.find_first_of(",]}#", begin) - begin));
}

}  // namespace sluice
