// The files in a run's checkpoint folder: step-00000200.safetensors and so on, and the names `last` and `best`.
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
// Returns all numbered checkpoints, the oldest first.
std::vector<std::filesystem::path> numbered_checkpoints(const std::filesystem::path& folder);

// Returns the checkpoint `last`. If it is missing, since the run was killed before it gave its first checkpoint this
// name: the newest numbered one that is whole, and a warning is logged. If there is none either: the path of `last`.
std::filesystem::path find_last(const std::filesystem::path& folder);

// Gives a finished checkpoint a second name, atomically. Copies the file only if the file system has no hard links.
// Throws Error(Exit::save).
void publish_checkpoint(const std::filesystem::path& file, const std::filesystem::path& name);

// Removes all numbered checkpoints but the newest `keep`. Returns why one could not be removed, with its path; empty:
// no failure.
std::string drop_old_checkpoints(const std::filesystem::path& folder, std::int64_t keep);

// Removes unfinished files of a killed run, below its folder: *.writing and *.part.
void remove_unfinished_files(const std::filesystem::path& run_folder);

// For a run that resumes from `step` but had come further. Moves its newer checkpoints to the subfolder `left`, so that
// they do not mix with the new ones. The numbered checkpoint of `step` becomes `last`. Throws Error(Exit::save).
void leave_newer_checkpoints(const std::filesystem::path& folder, std::uint64_t step);

// Returns the checkpoint with the best weights of a run that resumes from `from`; empty: none. A run killed between two
// renames has it under another name than `best`, or has lost it. If it is lost, `progress` gets the score of the file
// `best`, or no score, and a warning is logged.
std::filesystem::path find_best(const std::filesystem::path& folder, const std::filesystem::path& from,
                                Progress& progress);

// Gives the file that find_best() found the name `best`. If it found none, moves an existing `best` to `left`.
// Throws Error(Exit::save).
void restore_best(const std::filesystem::path& folder, const std::filesystem::path& best);

}  // namespace sluice::run
