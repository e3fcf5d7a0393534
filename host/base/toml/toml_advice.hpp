// What would be right in place of a common mistake in TOML.
#pragma once

#include <string>
#include <string_view>

namespace sluice {

// Where a parser has stopped, both from 1, and what it says of it.
struct TomlStop {
    std::size_t line = 0;
    std::size_t column = 0;
    std::string_view description;
};

// "; write true" for the message of toml++; empty if the mistake is not one of the common ones.
std::string toml_advice(std::string_view text, const TomlStop& stop);

}  // namespace sluice
