// Advice on common mistakes in TOML.
#pragma once

#include <string>
#include <string_view>

namespace sluice {

// The place where the parser stopped (line and column count from 1), and its description of the error. toml++ has no
// error codes, so the advice depends on words of the description.
struct TomlError {
    std::size_t line = 0;
    std::size_t column = 0;
    std::string_view description;
};

// Returns advice to append to the message of toml++, such as "; write true"; empty if the mistake is not a common one.
std::string toml_advice(std::string_view text, const TomlError& stop);

}  // namespace sluice
