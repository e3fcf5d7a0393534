// The folder of a run's event files. Each process that trains or resumes the run adds a file, which readers join.
#pragma once

#include <cstdint>
#include <filesystem>

#include "files/record_file.hpp"

namespace sluice::observers::tensorboard {

// The frames of event files, which are those of TFRecord files.
RecordFile::Format event_format();

// Returns a name that no file has, and that readers read after those that exist. seconds: since 1970.
std::filesystem::path next_event_file(const std::filesystem::path& folder, std::int64_t seconds);

// Cuts off what event files other than `own` have of steps after `last_step`, which run again, and records by which a
// process has told its end. Removes files of which nothing else is left. last_step 0: removes all.
void cut_event_files(const std::filesystem::path& folder, const std::filesystem::path& own, std::int64_t last_step);

}  // namespace sluice::observers::tensorboard
