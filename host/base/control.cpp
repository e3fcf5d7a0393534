#include "base/control.hpp"

namespace sluice {
namespace {

bool is_control(char32_t letter) {
    const auto is_from = [letter](char32_t first, char32_t last) { return letter >= first && letter <= last; };
    return letter < 0x20 || is_from(0x7F, 0x9F) || letter == 0x61C || is_from(0x200E, 0x200F) ||
           is_from(0x2028, 0x202E) || is_from(0x2066, 0x2069);
}

// The letter at the start of a text, of one to three bytes: none of four is a control. Of what is no UTF-8 anything.
Control first_letter(std::string_view text) {
    const auto byte = [text](std::size_t i) -> char32_t {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const auto is_behind_first = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
    if ((byte(0) & 0xE0U) == 0xC0U && is_behind_first(1)) {
        return {0, 2, (byte(0) & 0x1FU) << 6U | (byte(1) & 0x3FU)};
    }
    if ((byte(0) & 0xF0U) == 0xE0U && is_behind_first(1) && is_behind_first(2)) {
        return {0, 3, (byte(0) & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU)};
    }
    const bool is_ascii = byte(0) < 0x80U;
    return {0, 1, is_ascii ? byte(0) : U'\uFFFD'};
}

}  // namespace

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
