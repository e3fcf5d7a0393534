// That another process of this training is lost: what would take long is broken off, so that there is time to save.
#pragma once

#include <string>

#include "base/error.hpp"

namespace sluice::run {

class Lost : public Error {
public:
    using Error::Error;
};

// From any thread. The first reason counts.
void note_lost(const std::string& reason);
// Throws Lost(Exit::worker_lost) with the reason where another process is lost. Asked between the launches of a step
// on a CPU, and while a batch is waited for.
void expect_none_lost();

}  // namespace sluice::run
