// Runs checks in a process of their own: a kernel that crashes is a finding, and the other checks go on.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <string>

#include "check/findings/report.hpp"

namespace sluice::check {

struct Isolation {
    std::chrono::duration<double> limit{0};  // after which the process is ended, with all that it has started; 0: never
    std::string hint;                        // said where an address was bad: "; in backward, ..."
    bool exits = false;                      // the process ends by exit(), as a program does, with all destructors
};

// What an exception says, or what a bare one means.
std::string reason_of(const std::exception& error);

// tell: gets all that `checks` reports, as it comes, and one more that crashed where the process did not end well;
// `first` says what was checked where it ended before it began anything. A reason that was given to begin() stands
// behind how it ended. The calling process must not have run kernels: OpenMP's threads do not follow into the child.
void run_isolated(const Finding& first, const Isolation& isolation, const std::function<void(Report&)>& checks,
                  const std::function<void(const Finding&)>& tell);

}  // namespace sluice::check
