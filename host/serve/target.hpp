// The address in a request: its path and its parameters.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::serve {

struct Target {
    std::string path{};
    std::vector<std::pair<std::string, std::string>> parameters{};

    // Returns the first value; empty if there is none.
    [[nodiscard]] std::string parameter(std::string_view name) const;
    [[nodiscard]] std::vector<std::string> parameters_named(std::string_view name) const;
};

// Decodes %XX. Returns nothing if the text does not begin with a slash, or if its encoding is damaged.
std::optional<Target> parse_target(std::string_view text);

// Encodes all bytes but letters, digits and - . _ ~ as %XX.
std::string encoded(std::string_view text);

}  // namespace sluice::serve
