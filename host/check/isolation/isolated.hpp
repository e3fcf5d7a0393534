// Runs checks in a process of their own, so that a crash is a finding and other checks continue.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <string>

#include "check/findings/report.hpp"

namespace sluice::check {

struct Isolation {
    std::chrono::duration<double> limit{0};  // then the process and all that it started are killed; 0: no limit
    std::string hint;                        // added to the reason if an address was bad: "; in backward, ..."
    bool exits = false;                      // the process calls exit(), which runs static destructors
};

// The message of an exception; std::bad_alloc gets one that explains it.
std::string reason_of(const std::exception& error);

// Runs `checks` in a child process and gives its findings to `notify` at once. If the process crashes, hangs or exits
// early, `notify` gets one more finding, which is `crashed`. That finding is the one of the last begin(), or `first` if
// there was none. Its reason says which of them it was, followed by the reason given to begin(). If no process can be
// started, `notify` gets `first` as skipped. The calling process must not have run kernels: OpenMP's threads do not
// exist in the child.
void run_isolated(const Finding& first, const Isolation& isolation, const std::function<void(Report&)>& checks,
                  const std::function<void(const Finding&)>& notify);

}  // namespace sluice::check
