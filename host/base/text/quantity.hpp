// A number with its unit, as users write it: "2 GiB", "25 GB/s", "10us".
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace sluice {

struct Unit {
    std::string_view name;
    double factor;
};

// Returns the number times the factor of the unit that follows it, with or without spaces; nullopt for any other text.
std::optional<double> parse_quantity(std::string_view text, std::span<const Unit> units);

}  // namespace sluice
