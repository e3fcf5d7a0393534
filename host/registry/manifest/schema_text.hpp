// Describes an option's schema in words, and checks one value. Shared by the schema files.
#pragma once

#include <string>

#include "registry/manifest/schema.hpp"

namespace sluice::registry {

// "an integer >= 1", "one of "exact", "fast"".
std::string needed_item(const OptionSchema& option);
// The same for the whole value: "an array of 2 integers >= 1".
std::string needed_value(const OptionSchema& option);
// Returns `given` if it fits; an integer is converted if the option is a float. Throws Error(Exit::config).
Value check_option(const OptionSchema& option, const Value& given, const std::string& owner);

}  // namespace sluice::registry
