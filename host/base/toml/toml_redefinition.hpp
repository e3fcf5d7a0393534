// Advice on a name that TOML text defines twice.
#pragma once

#include <string>
#include <string_view>

#include "base/toml/toml_error.hpp"

namespace sluice {

// Returns advice that names the line of the first definition. After its scope, `stop.description` begins with "cannot
// redefine" or "cannot insert".
std::string advice_on_redefinition(std::string_view text, const TomlError& stop);

}  // namespace sluice
