// Letters of no alphabet that TOML knows, where it wants one of ASCII.
#pragma once

#include <string>
#include <string_view>

namespace sluice {

// Refuses what is not ASCII outside of quotes and comments, before toml++ sees it: versions up to 3.3 run there into
// code that they declare unreachable. For the same reason a line that goes on behind a backslash in """ begins with
// ASCII. Throws Error(Exit::config) "name:line:column: why". What else is wrong is left to toml++.
void refuse_stray_letters(std::string_view text, const std::string& name);

}  // namespace sluice
