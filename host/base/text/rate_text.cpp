#include "base/text/rate_text.hpp"

#include <fmt/format.h>

#include <array>

#include "base/text/quantity.hpp"

namespace sluice {
namespace {

constexpr std::array<Unit, 14> kRates{{{"B/s", 1.0},
                                       {"kB/s", 1e3},
                                       {"MB/s", 1e6},
                                       {"GB/s", 1e9},
                                       {"TB/s", 1e12},
                                       {"KiB/s", 0x1p10},
                                       {"MiB/s", 0x1p20},
                                       {"GiB/s", 0x1p30},
                                       {"TiB/s", 0x1p40},
                                       {"bit/s", 0.125},
                                       {"kbit/s", 125.0},
                                       {"Mbit/s", 125e3},
                                       {"Gbit/s", 125e6},
                                       {"Tbit/s", 125e9}}};
constexpr std::array<Unit, 4> kTimes{{{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}}};

}  // namespace

std::optional<double> parse_rate(const std::string& text) {
    const std::optional<double> rate = parse_quantity(text, kRates);
    return rate && *rate > 0.0 ? rate : std::nullopt;
}

std::optional<double> parse_time(const std::string& text) {
    const std::optional<double> time = text == "0" ? 0.0 : parse_quantity(text, kTimes);
    return time && *time >= 0.0 ? time : std::nullopt;
}

std::string format_time(double seconds) {
    return seconds >= 0.9995      ? fmt::format("{:.3g} s", seconds)
           : seconds >= 0.9995e-3 ? fmt::format("{:.3g} ms", 1e3 * seconds)
                                  : fmt::format("{:.3g} us", 1e6 * seconds);
}

}  // namespace sluice
