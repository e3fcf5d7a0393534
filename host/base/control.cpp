#include "base/control.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sluice {
namespace {

bool is_control(char32_t letter) {
    const auto is_from = [letter](char32_t first, char32_t last) { return letter >= first && letter <= last; };
    return letter < 0x20 || is_from(0x7F, 0x9F) || letter == 0x61C || is_from(0x200E, 0x200F) ||
           is_from(0x2028, 0x202E) || is_from(0x2066, 0x2069);
}

// Decodes the first character of `text` from one to three bytes; no control character has four.
// The result is unspecified if `text` is not UTF-8.
Control first_letter(std::string_view text) {
    const auto byte = [text](std::size_t i) -> char32_t {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const auto is_continuation = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
    if ((byte(0) & 0xE0U) == 0xC0U && is_continuation(1)) {
        return {0, 2, (byte(0) & 0x1FU) << 6U | (byte(1) & 0x3FU)};
    }
    if ((byte(0) & 0xF0U) == 0xE0U && is_continuation(1) && is_continuation(2)) {
        return {0, 3, (byte(0) & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU)};
    }
    const bool is_ascii = byte(0) < 0x80U;
    return {0, 1, is_ascii ? byte(0) : U'\uFFFD'};
}

// Returns the number of bytes of the first character; 0 if it is not valid UTF-8.
std::size_t bytes_of_letter(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t size = byte(0) < 0x80U                       ? 1
                             : byte(0) >= 0xC2U && byte(0) < 0xE0U ? 2
                             : (byte(0) & 0xF0U) == 0xE0U          ? 3
                             : byte(0) >= 0xF0U && byte(0) < 0xF5U ? 4
                                                                   : 0;
    if (size == 0 || size > text.size()) {
        return 0;
    }
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) {
            return 0;
        }
    }
    // An overlong encoding, half of a surrogate pair, or a number above U+10FFFF.
    const bool is_wrong = size > 2 && ((byte(0) == 0xE0U && byte(1) < 0xA0U) || (byte(0) == 0xEDU && byte(1) > 0x9FU) ||
                                       (byte(0) == 0xF0U && byte(1) < 0x90U) || (byte(0) == 0xF4U && byte(1) > 0x8FU));
    return is_wrong ? 0 : size;
}

std::string shown(std::string_view text, std::string_view kept) {
    std::string all;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view rest = text.substr(at);
        const std::size_t size = bytes_of_letter(rest);
        const char32_t letter = first_letter(rest).letter;
        if (size == 0) {
            all += fmt::format("\\x{:02x}", static_cast<unsigned char>(rest.front()));
        } else if (size == 4 || !is_control(letter) || kept.find(rest.front()) != std::string_view::npos) {
            all += rest.substr(0, size);
        } else {
            all += letter == U'\n' ? "\\n" : fmt::format("\\u{:04x}", static_cast<unsigned>(letter));
        }
        at += std::max<std::size_t>(size, 1);
    }
    return all;
}

}  // namespace

bool is_plain(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = bytes_of_letter(text.substr(at));
        if (size == 0 || (size < 4 && is_control(first_letter(text.substr(at)).letter))) {
            return false;
        }
        at += size;
    }
    return true;
}

std::string shown(std::string_view text) { return shown(text, ""); }

std::string shown_lines(std::string_view text) { return shown(text, "\n\t"); }

std::optional<Control> find_control(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        Control letter = first_letter(text.substr(at));
        if (is_control(letter.letter)) {
            letter.at = at;
            return letter;
        }
        at += letter.size;
    }
    return std::nullopt;
}

}  // namespace sluice
