#include "base/text/shell_quoted.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace sluice {

std::string shell_quoted(const std::string& word) {
    const bool is_safe = !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
        return std::isalnum(c) != 0 || c >= 0x80 ||
               std::string_view("/._-+,:@%=").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (is_safe) {
        return word;
    }
    std::string quoted = "'";
    for (const char c : word) {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + "'";
}

}  // namespace sluice
