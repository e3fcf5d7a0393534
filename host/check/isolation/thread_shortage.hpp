// Threads and processes that could not be started during a check. The results of that check say nothing about the
// plugin.
#pragma once

#include "check/findings/finding.hpp"

namespace sluice::check {

// Records that a thread or a process could not be started. [any thread; also in forked processes]
void record_thread_shortage() noexcept;
// Forgets earlier shortages. Call it before a check is forked, because only then does the process share its record.
void forget_thread_shortage() noexcept;

// Returns the finding. If a shortage is recorded and the check did not pass, the finding becomes `skipped` and gives
// the limits of the process as the reason.
Finding skip_if_threads_lacked(Finding finding);

}  // namespace sluice::check
