// Parses TOML text into values with their origins. Only toml.cpp includes toml++.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/value.hpp"

namespace sluice {

// Parses text; `name` identifies it in origins and messages. Throws Error(Exit::config) "name:line:column: why".
// Dates and times are refused, because no key takes one.
Table parse_toml(std::string_view text, const std::string& name);

}  // namespace sluice
