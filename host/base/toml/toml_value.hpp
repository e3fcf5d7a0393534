// Advice on a value that TOML does not know.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sluice {

// The parser has stopped at byte `at` of the line, in a value without quotes or after it. Empty if nothing is known.
std::string advice_on_value(std::string_view line, std::size_t at);

// What stands after a value, in its line.
std::string advice_on_rest(std::string_view line, std::size_t at);

}  // namespace sluice
