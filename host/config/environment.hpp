// `${NAME}` in the strings of a pipeline.
#pragma once

#include "base/value.hpp"

namespace sluice::config {

// Replaces every ${NAME} in the strings at and below `value` by that variable of the environment; such a value's origin
// becomes the environment. Throws Error(Exit::config) naming a variable that is not set.
void expand_environment(Value& value);
void expand_environment(Table& table);

}  // namespace sluice::config
