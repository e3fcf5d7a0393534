// Runs checks in a process of their own: a kernel that crashes is a finding, and the other checks go on.
#pragma once

#include <functional>
#include <vector>

#include "check/report.hpp"

namespace sluice::check {

// All that `checks` reported, and one more that failed where the process did not end well; `first` says what was
// checked where it ended before it began anything. The calling process must not have run kernels: OpenMP's threads do
// not follow into the child.
std::vector<Finding> run_isolated(const Finding& first, const std::function<void(Report&)>& checks);

}  // namespace sluice::check
