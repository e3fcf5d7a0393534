// How one of several processes ends with an error that all of them have.
#pragma once

#include <functional>
#include <string>

#include "base/error.hpp"
#include "registry/objects/processes.hpp"
#include "run/train/training_replicas.hpp"

namespace sluice::cli {

// Under a launcher what several processes fail with is told once.
void tell(const std::string& error);

// An error that was told.
class Told : public Error {
public:
    using Error::Error;
};

// Calls what all processes call at the same time. Where they throw run::Disagreement the first of them tells it, then
// all throw Told.
void fail_as_one(const registry::Processes& processes, const std::function<void()>& what);

// Calls what comes before the training. An error of one process alone is told by that one; the others, which wait for
// it, leave in silence with its exit code: all throw Told.
void start_as_one(const run::TrainingReplicas& replicas, const std::function<void()>& what);

}  // namespace sluice::cli
