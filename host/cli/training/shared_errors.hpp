// Decides which process of a training reports an error, and stops the others.
#pragma once

#include <functional>

#include "registry/optional/processes.hpp"
#include "run/train/training_replicas.hpp"

namespace sluice::cli {

// Calls `what`, which all processes call at the same time. If it throws run::Disagreement, the first process reports it
// and all throw ReportedError.
void fail_together(const registry::Processes& processes, const std::function<void()>& what);

// Does the same with `what`, which prepares the training. If one process alone fails, it reports its error. The others,
// which wait for it, exit with its code and report nothing. All of them throw ReportedError.
void start_together(const run::TrainingReplicas& replicas, const std::function<void()>& what);

}  // namespace sluice::cli
