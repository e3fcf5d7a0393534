#include "base/text/byte_size.hpp"

#include <fmt/format.h>

#include <array>

#include "base/text/quantity.hpp"

namespace sluice {
namespace {

constexpr std::array<Unit, 9> kUnits{{{"B", 1.0},
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
    const std::optional<double> bytes = parse_quantity(text, kUnits);
    return bytes && *bytes >= 1.0 && *bytes < 0x1p63 ? std::optional(static_cast<std::uint64_t>(*bytes)) : std::nullopt;
}

std::string format_size(std::uint64_t bytes) {
    const double value = static_cast<double>(bytes);
    return value >= 0x1p30   ? fmt::format("{:.1f} GiB", value * 0x1p-30)
           : value >= 0x1p20 ? fmt::format("{:.1f} MiB", value * 0x1p-20)
           : value >= 0x1p10 ? fmt::format("{:.1f} KiB", value * 0x1p-10)
                             : fmt::format("{} B", bytes);
}

}  // namespace sluice
