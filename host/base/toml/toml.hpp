// TOML text to values, with the place of each. The only file that knows toml++.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/value.hpp"

namespace sluice {

// Parses text; `name` stands for it in origins and messages. Throws Error(Exit::config) "name:line:column: why".
// Dates and times are refused: no key of ours takes one.
Table parse_toml(std::string_view text, const std::string& name);

}  // namespace sluice
