// That another process of this training is lost: what would take long is broken off, so that there is time to save.
#pragma once

#include <string>

namespace sluice::run {

// From any thread. The first reason counts.
void note_lost(const std::string& reason);
// Throws Error(Exit::worker_lost) with the reason where another process is lost. Asked between the launches of a step
// on a CPU, and while a batch is waited for.
void expect_none_lost();

}  // namespace sluice::run
