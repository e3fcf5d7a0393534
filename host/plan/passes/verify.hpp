// Checks that a plan is sound, as far as it was made. A failure is a bug of the host, never a mistake of the user.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace sluice::plan {

// Throws std::logic_error, which names the pass that left the plan wrong.
void verify(Plan& plan, const std::string& pass);

}  // namespace sluice::plan
