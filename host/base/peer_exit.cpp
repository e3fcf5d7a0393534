#include "base/peer_exit.hpp"

#include <fmt/format.h>

#include <charconv>

namespace sluice {
namespace {

constexpr std::string_view kHasExited = "it has exited with code ";

}  // namespace

std::string peer_exit_text(Exit code) { return fmt::format("{}{}", kHasExited, static_cast<int>(code)); }

std::optional<Exit> peer_exit_in(std::string_view reason) {
    const std::size_t at = reason.find(kHasExited);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view digits = reason.substr(at + kHasExited.size());
    int code = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), code).ec != std::errc()) {
        return std::nullopt;
    }
    return Exit{code};
}

}  // namespace sluice
