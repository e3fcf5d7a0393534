// Cleans up a disk cache's folder before a run uses it. Private to this folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace sluice::data {

// Trims the files in `folder`, which no process may be using, in three steps:
//   1. cuts off what follows the last whole sample of a file
//   2. removes files whose samples are all damaged or also in other files
//   3. removes the oldest files, and the end of one more, until the rest takes at most `budget` bytes
// Returns a text for the log; empty: nothing was removed.
std::string trim_cache(const std::filesystem::path& folder, std::optional<std::uint64_t> budget);

}  // namespace sluice::data
