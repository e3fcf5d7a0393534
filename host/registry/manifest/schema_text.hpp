// An option's schema in words, and the check of one value; shared by the files of the schema.
#pragma once

#include <string>

#include "registry/manifest/schema.hpp"

namespace sluice::registry {

// "an integer >= 1", "one of "exact", "fast"".
std::string needed_item(const OptionSchema& option);
// The same for the whole value: "an array of 2 integers >= 1".
std::string needed_value(const OptionSchema& option);
// `given` where it fits, integers made numbers where a number is taken. Throws Error(Exit::config).
Value check_option(const OptionSchema& option, const Value& given, const std::string& owner);

}  // namespace sluice::registry
