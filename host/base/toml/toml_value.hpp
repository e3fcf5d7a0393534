// Advice on a value that is not valid TOML.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sluice {

// The parser stopped at byte `at` of the line, in a value without quotes or after it. Returns empty without advice.
std::string advice_on_value(std::string_view line, std::size_t at);

// Advice on text that follows a value on its line.
std::string advice_on_rest(std::string_view line, std::size_t at);

}  // namespace sluice
