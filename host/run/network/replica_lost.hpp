// The report that another process of this training is lost. Long work is then broken off, so that there is time to
// save.
#pragma once

#include <string>

#include "base/error.hpp"

namespace sluice::run {

// It is a type of its own, so that a replica adds the step and the collective to this error alone.
class ReplicaLost : public Error {
public:
    using Error::Error;
};

// Records that a replica is lost. The first reason counts. [any thread]
void report_replica_lost(const std::string& reason);
// Throws ReplicaLost(Exit::replica_lost) with the reason if another process is lost. It is called between the launches
// of a step on a CPU, and while a thread waits for a batch.
void throw_if_replica_lost();

}  // namespace sluice::run
