#include "launch/exit_code_text.hpp"

#include <fmt/format.h>

#include <charconv>

namespace sluice::launch {
namespace {

constexpr std::string_view kHasLeft = "has left with exit code ";

}  // namespace

std::string PeerExit::text() const { return fmt::format("{}{}", kHasLeft, static_cast<int>(code)); }

std::optional<PeerExit> PeerExit::parse(std::string_view reason) {
    const std::size_t at = reason.find(kHasLeft);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view digits = reason.substr(at + kHasLeft.size());
    int code = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), code).ec != std::errc()) {
        return std::nullopt;
    }
    return PeerExit{static_cast<Exit>(code)};
}

}  // namespace sluice::launch
