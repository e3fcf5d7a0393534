// Versions of plugins, of which the later is preferred: 1.4.0, 2.0-rc1, 2.0, 2.0+linux5, 2.10.
#pragma once

#include <string_view>

namespace sluice::registry {

// What is_version() takes.
inline constexpr std::string_view kVersionRule =
    "numbers with dots between are needed, and behind them where that is not all '-' and what comes before that "
    "version, '+' and what marks a build, such as 1.4.0, 2.0-rc1 or 2.0+linux5";

bool is_version(std::string_view text);

// Numbers are compared as numbers, also those within words: 1.9.2, 1.10-rc2, 1.10-rc10, 1.10, 1.10+b1, 1.10.1 is their
// order.
bool is_older(std::string_view a, std::string_view b);

}  // namespace sluice::registry
