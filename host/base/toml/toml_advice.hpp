// Advice on common mistakes in TOML.
#pragma once

#include <string>
#include <string_view>

#include "base/toml/toml_error.hpp"

namespace sluice {

// Returns advice to append to the message of toml++, such as "; write true"; empty if the mistake is not a common one.
std::string toml_advice(std::string_view text, const TomlError& stop);

}  // namespace sluice
