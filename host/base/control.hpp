// Control characters: a terminal obeys them instead of showing them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

struct Control {
    std::size_t at = 0;    // offset of its first byte
    std::size_t size = 1;  // in bytes of UTF-8
    char32_t letter = 0;
};

// Returns the first control character of `text`, which is one of these:
//  - U+0000-001F and 007F-009F move the cursor or begin a terminal command.
//  - U+2028 and 2029 begin a new line.
//  - U+061C, 200E, 200F, 202A-202E and 2066-2069 change the text direction, so that one text can look like another.
std::optional<Control> find_control(std::string_view text);

// True if `text` is UTF-8 without control characters.
bool is_plain(std::string_view text);
// Returns `text` for display on one line: control characters become \n or \u001b, invalid UTF-8 bytes become \xff.
std::string shown(std::string_view text);
// Same for text of several lines: newlines and tabs stay.
std::string shown_lines(std::string_view text);

}  // namespace sluice
