// An error of the parser of TOML.
#pragma once

#include <cstddef>
#include <string_view>

namespace sluice {

// The place where the parser stopped (line and column count from 1), and its description of the error. toml++ has no
// error codes, so the advice depends on words of the description.
struct TomlError {
    std::size_t line = 0;
    std::size_t column = 0;
    std::string_view description;
};

}  // namespace sluice
