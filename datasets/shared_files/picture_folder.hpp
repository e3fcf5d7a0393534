// The pictures below a folder that an option names.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "picture_walk.hpp"
#include "skipped_files.hpp"
#include "sluice/sdk/host.hpp"

namespace sluice::shared_files {

// "there is no file 'a.png'", or why it cannot be read; empty if it exists.
std::string why_no_file(const std::filesystem::path& file);

// Throws SLUICE_INVALID if the folder cannot be examined. `option` names this folder or one above it.
bool is_folder(const std::filesystem::path& folder, const std::string& option);

// Throws SLUICE_INVALID if there is no such folder. `option` names the folder.
void require_folder(const std::filesystem::path& folder, const std::string& option);

// Returns the files of find_pictures() and counts all others in `skipped_files`. Throws SLUICE_INVALID if there are no
// pictures or a folder cannot be listed. `option` names the folder.
std::vector<std::string> list_pictures(const std::filesystem::path& folder, const std::string& option,
                                       SkippedFiles& skipped_files, Suffixes suffixes = kPictureSuffixes);

// Warns once of names of files below a folder that differ only in their Unicode form.
void warn_of_forms(const sdk::Host& host, std::span<const std::string> names);

// Logs one line about all skipped files, once per process; nothing if there are none.
void log_skipped_files(const sdk::Host& host, const SkippedFiles& skipped_files);

}  // namespace sluice::shared_files
