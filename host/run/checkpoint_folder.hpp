// The files in a run's folder of checkpoints: step-00000200.safetensors and so on, and the names `last` and `best`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sluice::run {

std::string numbered_name(std::uint64_t step);
// All numbered checkpoints, the oldest first.
std::vector<std::filesystem::path> numbered_checkpoints(const std::filesystem::path& folder);

// Gives a finished checkpoint a second name, at once and without a second copy where the file system has hard links.
// Throws Error(Exit::save).
void publish_checkpoint(const std::filesystem::path& file, const std::string& name);

// Removes all numbered checkpoints but the newest `keep`.
void drop_old_checkpoints(const std::filesystem::path& folder, std::int64_t keep);

// For a run that goes on from `step` although it had come further: its newer checkpoints move to the folder `left`
// below, so that those of the new course are not taken for older ones. `best` is again that of `best_step`, where its
// numbered file is still there; else there is none until the next one. Throws Error(Exit::save).
void leave_newer_checkpoints(const std::filesystem::path& folder, std::uint64_t step, std::uint64_t best_step);

}  // namespace sluice::run
