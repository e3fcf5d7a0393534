// Numbers with a prefix for people: "11.4 M", "812 MiB".
#pragma once

#include <cstdint>
#include <string>

namespace sluice {

// "11.4 M", "113.6 G": a number with three or four digits and a metric prefix.
std::string metric_number(double value);
// "812 MiB". From 1000 on, and below 1 KiB, it has no decimals, other than format_size().
std::string byte_text(double bytes);
inline std::string byte_text(std::uint64_t bytes) { return byte_text(static_cast<double>(bytes)); }

}  // namespace sluice
