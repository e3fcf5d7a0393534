// How fast a disk reads what is not in the page cache.
#pragma once

#include <filesystem>

namespace sluice::diagnose {

// Writes a file of 64 MiB into this folder, reads it from the disk, and removes it. Returns bytes per second; 0 if the
// folder cannot be written.
double disk_read_rate(const std::filesystem::path& folder);

}  // namespace sluice::diagnose
