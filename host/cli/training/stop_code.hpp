// The exit code of a training that a signal has stopped.
#pragma once

#include "registry/optional/processes.hpp"

namespace sluice::cli {

// Returns the exit code of a run that was asked to stop, and reports it to the launcher, if there is one. It gets the
// code before replicas are destroyed, since that may take longer than its timeout.
int report_stop(const registry::Processes& processes);

}  // namespace sluice::cli
