// A comparison of runs as JSON, for scripts.
#pragma once

#include <string>

#include "compare/comparison.hpp"

namespace sluice::compare {

// One object with `runs`, `settings`, `figures` and `others`. Times are seconds, sizes bytes; what is unknown is null.
std::string to_json(const Comparison& comparison);

}  // namespace sluice::compare
