#include "base/text/columns.hpp"

#include <utf8proc.h>

#include <cstddef>

namespace sluice {
namespace {

struct Letter {
    std::size_t bytes = 0;
    int columns = 0;
};

// `text` is not empty.
Letter first_letter(std::string_view text) {
    utf8proc_int32_t letter = 0;
    const utf8proc_ssize_t bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                                    static_cast<utf8proc_ssize_t>(text.size()), &letter);
    return bytes <= 0 ? Letter{.bytes = 1, .columns = 1}
                      : Letter{.bytes = static_cast<std::size_t>(bytes), .columns = utf8proc_charwidth(letter)};
}

}  // namespace

int columns_of(std::string_view text) {
    int columns = 0;
    while (!text.empty()) {
        const Letter letter = first_letter(text);
        columns += letter.columns;
        text.remove_prefix(letter.bytes);
    }
    return columns;
}

std::string cut(std::string_view text, int columns) {
    std::size_t end = 0;
    int used = 0;
    while (end < text.size()) {
        const Letter letter = first_letter(text.substr(end));
        if (used + letter.columns > columns) {
            break;
        }
        used += letter.columns;
        end += letter.bytes;
    }
    return std::string(text.substr(0, end));
}

}  // namespace sluice
