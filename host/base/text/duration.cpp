#include "base/text/duration.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice {
namespace {

struct LongUnit {
    std::string_view name;
    std::int64_t seconds;
};
constexpr std::array<LongUnit, 4> kLongUnits{{{"d", 86400}, {"h", 3600}, {"min", 60}, {"s", 1}}};
constexpr double kShort = 9.95;       // seconds
constexpr double kLongest = 3.15e11;  // ten thousand years

}  // namespace

std::string format_duration(double seconds) {
    if (!(seconds >= 0.0 && seconds < kLongest)) {
        return "?";
    }
    if (seconds < kShort) {
        return fmt::format("{:.1f} s", seconds);
    }
    const std::int64_t whole = std::llround(seconds);
    std::size_t unit = 0;
    while (whole < kLongUnits[unit].seconds) {
        ++unit;
    }
    const LongUnit& large = kLongUnits[unit];
    std::string text = fmt::format("{} {}", whole / large.seconds, large.name);
    if (unit + 1 < kLongUnits.size()) {
        const LongUnit& small = kLongUnits[unit + 1];
        text += fmt::format(" {} {}", whole % large.seconds / small.seconds, small.name);
    }
    return text;
}

}  // namespace sluice
