// Plugin versions and their order: 1.4.0, 2.0-rc1, 2.0, 2.0+linux5, 2.10. The latest one is preferred.
#pragma once

#include <string_view>

namespace sluice::registry {

// The rule of is_version(), for messages.
inline constexpr std::string_view kVersionRule =
    "numbers joined by dots are needed, optionally followed by '-' and a pre-release and by '+' and a build, such as "
    "1.4.0, 2.0-rc1 or 2.0+linux5";

bool is_version(std::string_view text);

// True if `a` precedes `b`. Numbers are compared by value, also inside words: 1.9.2, 1.10-rc2, 1.10-rc10, 1.10,
// 1.10+b1, 1.10.1 are in order.
bool is_older(std::string_view a, std::string_view b);

}  // namespace sluice::registry
