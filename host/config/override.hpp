// `--set a.b=v`: one value of a pipeline changed from the command line.
#pragma once

#include <string>

#include "base/value.hpp"

namespace sluice::config {

// `set` is "a.b=v": v is read as a TOML value, and taken as a string where it is none. An element of an array is named
// by its index, from 0. Tables on the way are made where they are missing. Throws Error(Exit::config) "--set a.b=v:
// why".
void apply_set(Table& pipeline, const std::string& set);

// The same for another option of the command line, which messages and origins name: "--policy mixed_float16".
void apply_set(Table& pipeline, const std::string& set, const std::string& option);

}  // namespace sluice::config
