// What toml++ must not see.
#pragma once

#include <string>
#include <string_view>

namespace sluice {

// Refuses text that toml++ cannot bear; what else is wrong is left to it:
//  - files of other kinds, and text that is not in UTF-8.
//  - letters that are not ASCII, outside of quotes and comments: versions up to 3.3 run there into code that they
//    declare unreachable. For the same reason a line that goes on behind a backslash in """ begins with ASCII, and
//    values that do not begin with a quote are ASCII up to their end.
//  - paths such as "C:\new", whose backslashes it takes for control characters.
//  - keys of more than 64 parts, and more than 64 brackets within each other: it calls itself for each.
// Throws Error(Exit::config) "name:line:column: why", of another kind of file "name: why".
void guard_toml(std::string_view text, const std::string& name);

}  // namespace sluice
