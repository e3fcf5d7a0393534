// The text that `host plan --precision` prints.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace sluice::plan {

// Lists each layer's autocast category, policy, types and the reason. Then lists channels and batch sizes that do not
// fill 16-bit matrix units.
std::string list_precision(const Plan& plan, const Toolbox& tools);

}  // namespace sluice::plan
