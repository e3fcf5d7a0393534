// `--set a.b=v`: one value of a pipeline changed from the command line.
#pragma once

#include <string>

#include "base/value.hpp"

namespace sluice::config {

// `set` is "a.b=v": v is read as a TOML value, or as a string if it is not one. An index from 0 names an element of an
// array. Missing tables on the path are created. Throws Error(Exit::config) "--set a.b=v: why".
void apply_set(Table& pipeline, const std::string& set);

// Same for another command-line option: messages and origins name `option`, such as "--policy mixed_float16".
void apply_set(Table& pipeline, const std::string& set, const std::string& option);

}  // namespace sluice::config
