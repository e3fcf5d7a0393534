// Rates and delays of links between devices, as users write them.
#pragma once

#include <optional>
#include <string>

namespace sluice {

// Parses "25 GB/s" or "100 Gbit/s" into bytes per second; nullopt if `text` is not a positive rate.
// Units: B/s to TB/s, KiB/s to TiB/s, and bit/s to Tbit/s.
std::optional<double> parse_rate(const std::string& text);

// Parses "10us" or "1.5 ms" into seconds; nullopt if `text` is not a time of 0 or more. Units: ns, us, ms, s; 0 needs
// none.
std::optional<double> parse_time(const std::string& text);

// Formats seconds with three digits and a fitting unit, for example as "1.5 ms".
std::string format_time(double seconds);

}  // namespace sluice
