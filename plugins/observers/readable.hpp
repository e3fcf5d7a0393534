// Formats numbers for people.
#pragma once

#include <string>

namespace sluice::observers {

// Formats as printf's %.*f does.
std::string fixed(double value, int decimals);

// Returns the decimals that show `value` with `digits` significant digits: 2 for 30.12 with 4 digits.
int decimals_for(double value, int digits);

// Formats with `digits` significant digits: "0.0312", "30.12", "1.25e-05".
std::string significant(double value, int digits);

// "1e-3", "2.5e-4"
std::string scientific(double value);

// "156 ms", "3.2 s", "33 s", "1m32s", "2h05m", "3d04h"
std::string duration(double seconds);

}  // namespace sluice::observers
