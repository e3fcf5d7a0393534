// Times for people.
#pragma once

#include <string>

namespace sluice {

// Formats seconds with their two largest units: "45 s", "3 min 8 s", "2 h 5 min", "3 d 4 h". Fewer than ten seconds
// have a digit after the point. "?" if they are not a finite number of 0 or more.
std::string format_duration(double seconds);

}  // namespace sluice
