// Checks of TOML text before toml++ parses it.
#pragma once

#include <string>
#include <string_view>

namespace sluice {

// Refuses text that toml++ cannot handle; toml++ reports all other mistakes:
//  - files of other kinds, and text that is not UTF-8.
//  - non-ASCII characters outside of quotes and comments. There toml++ up to 3.3 runs into code that it declares
//    unreachable. For the same reason, ASCII must follow a backslash at the end of a line in """, and a value without
//    quotes must be ASCII up to its end.
//  - paths such as "C:\new", whose backslashes toml++ takes for control characters.
//  - keys of more than 64 parts, and brackets with their keys nested more than 64 deep. toml++ recurses once for each,
//    and a stack may be small.
// Throws Error(Exit::config) "name:line:column: why", or "name: why" for a file of another kind.
void guard_toml(std::string_view text, const std::string& name);

}  // namespace sluice
