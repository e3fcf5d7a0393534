// A comparison of runs as text for a terminal.
#pragma once

#include <string>

#include "compare/comparison.hpp"

namespace sluice::compare {

std::string to_text(const Comparison& comparison);

}  // namespace sluice::compare
