// Reports an error once, even if several processes of a training fail with it.
#pragma once

#include <functional>
#include <string>

#include "base/error.hpp"
#include "registry/optional/processes.hpp"
#include "run/train/training_replicas.hpp"

namespace sluice::cli {

// Logs the error, or hands it to `host launch`, which logs an error of several processes once.
void report_error(const std::string& error);

// An error that was reported already.
class ReportedError : public Error {
public:
    using Error::Error;
};

// Calls `what`, which all processes call at the same time. If it throws run::Disagreement, the first process reports it
// and all throw ReportedError.
void fail_together(const registry::Processes& processes, const std::function<void()>& what);

// Calls `what`, which prepares the training. If one process alone fails, it reports its error. The others, which wait
// for it, exit with its code and report nothing: all throw ReportedError.
void start_together(const run::TrainingReplicas& replicas, const std::function<void()>& what);

}  // namespace sluice::cli
