#include "conv/remembered.hpp"

#include <array>
#include <charconv>
#include <optional>

namespace sluice::cudnn {
namespace {

constexpr std::string_view kUnit = " ms";

// Prints four significant digits.
std::string to_text(float milliseconds) {
    std::array<char, 32> digits{};
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), milliseconds, std::chars_format::general, 4);
    return {digits.data(), end.ptr};
}

std::optional<float> to_milliseconds(std::string_view text) {
    float milliseconds = 0.0F;
    const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), milliseconds);
    const bool is_whole = error == std::errc() && stopped == text.data() + text.size();
    return is_whole ? std::optional(milliseconds) : std::nullopt;
}

}  // namespace

std::string remembered_text(const ConvPass& pass) {
    return pass.text() + (pass.milliseconds() ? ", " + to_text(*pass.milliseconds()) + std::string(kUnit) : "");
}

float as_remembered(float milliseconds) { return to_milliseconds(to_text(milliseconds)).value_or(milliseconds); }

std::unique_ptr<ConvPass> make_remembered_pass(const ConvProblem& problem, const Target& target,
                                               std::string_view text) {
    if (!text.ends_with(kUnit)) {
        return make_pass(problem, target, text);
    }
    text.remove_suffix(kUnit.size());
    const std::size_t comma = text.rfind(", ");
    if (comma == std::string_view::npos) {
        return nullptr;
    }
    const std::optional<float> milliseconds = to_milliseconds(text.substr(comma + 2));
    auto pass = milliseconds ? make_pass(problem, target, text.substr(0, comma)) : nullptr;
    if (pass != nullptr) {
        pass->set_milliseconds(*milliseconds);
    }
    return pass;
}

}  // namespace sluice::cudnn
