// How fast data travel between devices, as people write it.
#pragma once

#include <optional>
#include <string>

namespace sluice {

// "25 GB/s", "100 Gbit/s" as bytes a second; nothing where the text is not a positive rate. Units: B/s to TB/s, KiB/s
// to TiB/s, and bit/s to Tbit/s.
std::optional<double> parse_rate(const std::string& text);

// "10us", "1.5 ms" as seconds; nothing where the text is not a time of 0 or more. Units: ns, us, ms, s; 0 needs none.
std::optional<double> parse_time(const std::string& text);

// "1.5 ms": with three digits and the unit that fits.
std::string format_time(double seconds);

}  // namespace sluice
