// The words for a schema: what an option needs, and the table of `host plugins show`.
#pragma once

#include <string>

#include "registry/manifest/schema.hpp"

namespace sluice::registry {

// "an integer >= 1", "one of "exact", "fast"".
std::string needed_item(const OptionSchema& option);
// The same for the whole value: "an array of 2 integers >= 1".
std::string needed_value(const OptionSchema& option);
// One line per option: "filters  int >= 1           output channels; ..." for `host plugins show`.
std::string describe(const Schema& schema);

}  // namespace sluice::registry
