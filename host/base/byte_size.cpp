#include "base/byte_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace sluice {
namespace {

constexpr std::array<std::pair<std::string_view, double>, 9> kUnits{{{"B", 1.0},
                                                                     {"kB", 1e3},
                                                                     {"MB", 1e6},
                                                                     {"GB", 1e9},
                                                                     {"TB", 1e12},
                                                                     {"KiB", 0x1p10},
                                                                     {"MiB", 0x1p20},
                                                                     {"GiB", 0x1p30},
                                                                     {"TiB", 0x1p40}}};

}  // namespace

std::optional<std::uint64_t> parse_size(const std::string& text) {
    double number = 0.0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
    if (failure != std::errc{}) {
        return std::nullopt;
    }
    std::string_view unit(rest, static_cast<std::size_t>(end - rest));
    unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
    for (const auto& [name, factor] : kUnits) {
        const double bytes = number * factor;
        if (unit == name && bytes >= 1.0 && bytes < 0x1p63) {
            return static_cast<std::uint64_t>(bytes);
        }
    }
    return std::nullopt;
}

std::string format_size(std::uint64_t bytes) {
    const double value = static_cast<double>(bytes);
    return value >= 0x1p30   ? fmt::format("{:.1f} GiB", value * 0x1p-30)
           : value >= 0x1p20 ? fmt::format("{:.1f} MiB", value * 0x1p-20)
           : value >= 0x1p10 ? fmt::format("{:.1f} KiB", value * 0x1p-10)
                             : fmt::format("{} B", bytes);
}

}  // namespace sluice
