// The files in a run's folder of checkpoints: step-00000200.safetensors and so on, and the names `last` and `best`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "run/checkpoint/checkpoint.hpp"

namespace sluice::run {

constexpr const char* kLastCheckpoint = "last.safetensors";
constexpr const char* kBestCheckpoint = "best.safetensors";

std::string numbered_name(std::uint64_t step);
// All numbered checkpoints, the oldest first.
std::vector<std::filesystem::path> numbered_checkpoints(const std::filesystem::path& folder);

// Gives a finished checkpoint a second name, at once and without a second copy if the file system has hard links.
// Throws Error(Exit::save).
void publish_checkpoint(const std::filesystem::path& file, const std::filesystem::path& name);

// Removes all numbered checkpoints but the newest `keep`. Returns why one could not be removed, with its path; empty if
// all could.
std::string drop_old_checkpoints(const std::filesystem::path& folder, std::int64_t keep);

// Removes what a killed run has left unfinished below its folder: *.writing and *.part.
void remove_unfinished_files(const std::filesystem::path& run_folder);

// For a run that goes on from `step` although it had come further: its newer checkpoints move to the folder `left`
// below, so that those of the new course are not taken for older ones. Throws Error(Exit::save).
void leave_newer_checkpoints(const std::filesystem::path& folder, std::uint64_t step);

// The checkpoint with the best weights of a run that goes on from `from`. A run that was killed between two renames has
// it under another name than `best`, or has lost it: then `progress` gets the score of what `best` holds, or none, and
// a warning says so. Empty if there is no best.
std::filesystem::path find_best(const std::filesystem::path& folder, const std::filesystem::path& from,
                                Progress& progress);

// Makes `best` the file that find_best() has found; without one, what is called so moves to `left`.
// Throws Error(Exit::save).
void restore_best(const std::filesystem::path& folder, const std::filesystem::path& best);

}  // namespace sluice::run
