// A number with its unit, as people write them: "2 GiB", "25 GB/s", "10us".
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace sluice {

struct Unit {
    std::string_view name;
    double factor;
};

// The number times the factor of its unit, which stands behind it with or without spaces; nothing where the text is
// something else.
std::optional<double> parse_quantity(std::string_view text, std::span<const Unit> units);

}  // namespace sluice
