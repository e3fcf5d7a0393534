// Letters of a text that a terminal obeys instead of showing them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

struct Control {
    std::size_t at = 0;    // its first byte
    std::size_t size = 1;  // in bytes of UTF-8
    char32_t letter = 0;
};

// The first letter of the text that moves the cursor or begins a command (U+0000-001F, 007F-009F), begins another line
// (U+2028, 2029), or turns the direction of the letters around it (U+061C, 200E, 200F, 202A-202E, 2066-2069), by which
// a text looks like another one.
std::optional<Control> find_control(std::string_view text);

// Whether it is UTF-8 without such a letter.
bool is_plain(std::string_view text);
// The text as it can be shown on one line: such letters as \n or \u001b, bytes that are no UTF-8 as \xff.
std::string shown(std::string_view text);
// The same of a text of several lines.
std::string shown_lines(std::string_view text);

}  // namespace sluice
