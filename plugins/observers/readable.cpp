// Formats numbers for people.
#include "readable.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace sluice::observers {
namespace {

constexpr int kMostDecimals = 6;

std::string pair(long long big, const char* big_unit, long long small, const char* small_unit) {
    char text[64];
    std::snprintf(text, sizeof(text), "%lld%s%02lld%s", big, big_unit, small, small_unit);
    return text;
}

}  // namespace

std::string fixed(double value, int decimals) {
    char text[400];  // the largest double has 309 digits
    std::snprintf(text, sizeof(text), "%.*f", decimals, value);
    return text;
}

int decimals_for(double value, int digits) {
    if (value == 0.0 || !std::isfinite(value)) {
        return digits - 1;
    }
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
    return std::clamp(digits - 1 - exponent, 0, kMostDecimals);
}

std::string significant(double value, int digits) {
    const double size = std::abs(value);
    if (std::isfinite(value) && size != 0.0 && (size < 1e-4 || size >= 1e6)) {
        char text[64];
        std::snprintf(text, sizeof(text), "%.*e", digits - 1, value);
        return text;
    }
    return fixed(value, decimals_for(value, digits));
}

std::string scientific(double value) {
    if (value == 0.0 || !std::isfinite(value)) {
        return fixed(value, 0);
    }
    char text[64];
    std::snprintf(text, sizeof(text), "%.2e", value);
    const std::string all = text;
    const std::size_t split = all.find('e');
    std::string mantissa = all.substr(0, split);
    mantissa.erase(mantissa.find_last_not_of('0') + 1);
    if (mantissa.back() == '.') {
        mantissa.pop_back();
    }
    return mantissa + "e" + std::to_string(std::atoi(all.c_str() + split + 1));
}

std::string duration(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0.0) {
        return "?";
    }
    if (seconds < 0.9995) {
        const double milliseconds = seconds * 1e3;
        return fixed(milliseconds, milliseconds < 9.95 ? 1 : 0) + " ms";
    }
    if (seconds < 59.5) {
        return fixed(seconds, seconds < 9.95 ? 1 : 0) + " s";
    }
    const long long whole = std::llround(std::min(seconds, 1e15));
    if (whole < 3600) {
        return pair(whole / 60, "m", whole % 60, "s");
    }
    if (whole < 86400) {
        return pair(whole / 3600, "h", whole % 3600 / 60, "m");
    }
    return pair(whole / 86400, "d", whole % 86400 / 3600, "h");
}

}  // namespace sluice::observers
