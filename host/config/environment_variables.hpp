// `${NAME}` in the strings of a pipeline.
#pragma once

#include "base/value.hpp"

namespace sluice::config {

// Replaces every ${NAME} in the strings at and below `value` by that environment variable. The origin of such a value
// becomes the environment. Throws Error(Exit::config) that names a variable that is not set.
void expand_environment(Value& value);
void expand_environment(Table& table);

}  // namespace sluice::config
