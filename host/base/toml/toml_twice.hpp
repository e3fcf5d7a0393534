// Advice on a name that TOML text gives to two things.
#pragma once

#include <string>
#include <string_view>

#include "base/toml/toml_advice.hpp"

namespace sluice {

// Names the line that came first. `stop.description` begins with "cannot redefine" or "cannot insert" after its scope.
std::string advice_on_twice(std::string_view text, const TomlStop& stop);

}  // namespace sluice
