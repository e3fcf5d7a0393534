#include "serve/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>

namespace sluice::serve {
namespace {

std::optional<std::string> decoded(std::string_view text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '+') {
            bytes += ' ';
            continue;
        }
        if (text[i] != '%') {
            bytes += text[i];
            continue;
        }
        constexpr std::size_t kDigits = 2;
        constexpr int kHexadecimal = 16;
        const std::string_view digits = text.substr(i + 1, kDigits);
        unsigned char value = 0;
        const char* const end = digits.data() + digits.size();
        const auto [stop, problem] = std::from_chars(digits.data(), end, value, kHexadecimal);
        if (digits.size() != kDigits || problem != std::errc() || stop != end) {
            return std::nullopt;
        }
        bytes += static_cast<char>(value);
        i += kDigits;
    }
    return bytes;
}

}  // namespace

std::string Target::parameter(std::string_view name) const {
    const auto found = std::ranges::find(parameters, name, &std::pair<std::string, std::string>::first);
    return found == parameters.end() ? "" : found->second;
}

std::vector<std::string> Target::parameters_named(std::string_view name) const {
    std::vector<std::string> values;
    for (const auto& [key, value] : parameters) {
        if (key == name) {
            values.push_back(value);
        }
    }
    return values;
}

std::optional<Target> parse_target(std::string_view text) {
    if (!text.starts_with('/')) {
        return std::nullopt;
    }
    const std::size_t question = text.find('?');
    Target target{.path = std::string(text.substr(0, question))};
    std::string_view rest = question == std::string_view::npos ? "" : text.substr(question + 1);
    while (!rest.empty()) {
        const std::string_view one = rest.substr(0, rest.find('&'));
        rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        const std::size_t equals = one.find('=');
        const std::optional<std::string> name = decoded(one.substr(0, equals));
        const std::optional<std::string> value =
            decoded(equals == std::string_view::npos ? "" : one.substr(equals + 1));
        if (!name || !value) {
            return std::nullopt;
        }
        target.parameters.emplace_back(*name, *value);
    }
    return target;
}

std::string encoded(std::string_view text) {
    std::string result;
    for (const char byte : text) {
        const auto value = static_cast<unsigned char>(byte);
        const bool is_plain =
            value < 0x80 && (std::isalnum(value) != 0 || std::string_view("-._~").find(byte) != std::string_view::npos);
        result += is_plain ? std::string(1, byte) : fmt::format("%{:02X}", value);
    }
    return result;
}

}  // namespace sluice::serve
