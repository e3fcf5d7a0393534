// What this program calls itself in its messages and its help.
#pragma once

#include <string>
#include <string_view>

namespace sluice {

// `sluice` where it is installed, or was started by that name; `host` in the tree of a build.
std::string_view program_name();

// A command as a user types it, in a sentence: "`sluice plan deblur.toml`" of "plan deblur.toml".
std::string typed(std::string_view command);

}  // namespace sluice
