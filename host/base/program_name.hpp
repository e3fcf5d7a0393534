// The name of this program in its messages and help.
#pragma once

#include <string>
#include <string_view>

namespace sluice {

// Returns "sluice" if the program is installed or was started by that name, "host" in a build tree.
std::string_view program_name();

// Returns a command as a user types it, in backquotes: "plan deblur.toml" gives "`sluice plan deblur.toml`".
std::string typed(std::string_view command);

}  // namespace sluice
