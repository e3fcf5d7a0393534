// Runs checks in a process of their own: a kernel that crashes is a finding, and the other checks go on.
#pragma once

#include <functional>

#include "check/report.hpp"

namespace sluice::check {

// tell: gets all that `checks` reports, as it comes, and one more that failed where the process did not end well;
// `first` says what was checked where it ended before it began anything. The calling process must not have run kernels:
// OpenMP's threads do not follow into the child.
void run_isolated(const Finding& first, const std::function<void(Report&)>& checks,
                  const std::function<void(const Finding&)>& tell);

}  // namespace sluice::check
