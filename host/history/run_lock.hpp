// The lock by which a live run holds its folder: RUN/.lock.
#pragma once

#include <filesystem>

namespace sluice::history {

// Locks the file, which it creates. The kernel releases the lock when the process exits, also after a crash. Returns
// the handle, or -1 with errno; EAGAIN: a run holds the lock.
int lock_run(const std::filesystem::path& run);

// True while a run has locked this folder. Takes no lock itself, so that it never keeps a run from starting.
bool is_alive(const std::filesystem::path& run);

}  // namespace sluice::history
