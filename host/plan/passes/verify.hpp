// Whether a plan is sound, as far as it was made. A failure is a mistake of this host, never of the user.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace sluice::plan {

// Throws std::logic_error naming the pass that left something wrong.
void verify(Plan& plan, const std::string& pass);

}  // namespace sluice::plan
