#include "base/text/scaled_number.hpp"

#include <fmt/format.h>

namespace sluice {
namespace {

std::string scaled(double value, double base, const char* const* units, int count, const char* suffix) {
    int unit = 0;
    while (value >= base && unit + 1 < count) {
        value /= base;
        ++unit;
    }
    const int digits = unit == 0 || value >= 1000.0 ? 0 : 1;
    const std::string text = fmt::format("{:.{}f} {}{}", value, digits, units[unit], suffix);
    return text.ends_with(' ') ? text.substr(0, text.size() - 1) : text;
}

}  // namespace

std::string metric_number(double value) {
    static constexpr const char* units[] = {"", "k", "M", "G", "T", "P"};
    return scaled(value, 1000.0, units, 6, "");
}

std::string byte_text(double bytes) {
    static constexpr const char* units[] = {"", "Ki", "Mi", "Gi", "Ti"};
    return scaled(bytes, 1024.0, units, 5, "B");
}

}  // namespace sluice
