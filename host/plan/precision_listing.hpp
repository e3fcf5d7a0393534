// What `host plan --precision` prints.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace sluice::plan {

// For each layer its colour, policy, types and the reason; then extents that units of 16 bits do not like.
std::string list_precision(const Plan& plan, const Toolbox& tools);

}  // namespace sluice::plan
