#include "base/text/quantity.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sluice {

std::optional<double> parse_quantity(std::string_view text, std::span<const Unit> units) {
    double number = 0.0;
    const char* const end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
    if (failure != std::errc{} || !std::isfinite(number)) {
        return std::nullopt;
    }
    std::string_view name(rest, static_cast<std::size_t>(end - rest));
    name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
    const auto unit = std::ranges::find(units, name, &Unit::name);
    return unit == units.end() ? std::nullopt : std::optional(number * unit->factor);
}

}  // namespace sluice
