// The pictures below a folder that an option names.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "passed_over.hpp"
#include "picture_walk.hpp"
#include "sluice/sdk/host.hpp"

namespace sluice::shared_files {

// "there is no file 'a.png'", or why it cannot be read; empty if it is there.
std::string why_no_file(const std::filesystem::path& file);

// Throws SLUICE_INVALID if that cannot be known. `option` is the one that names it or a folder above.
bool is_folder(const std::filesystem::path& folder, const std::string& option);

// Throws SLUICE_INVALID if there is no such folder. `option` is the one that names it.
void require_folder(const std::filesystem::path& folder, const std::string& option);

// Those that find_pictures() finds; all other files are counted in `passed_over`. Throws SLUICE_INVALID if there are
// none, or a folder cannot be listed. `option` is the one that names the folder.
std::vector<std::string> list_pictures(const std::filesystem::path& folder, const std::string& option,
                                       PassedOver& passed_over, Suffixes suffixes = kPictureSuffixes);

// Warns once of names of files below a folder that differ in their Unicode form alone.
void warn_of_forms(const sdk::Host& host, std::span<const std::string> names);

// One line for all of them, once in a process; none if there are none.
void log_passed_over(const sdk::Host& host, const PassedOver& passed_over);

}  // namespace sluice::shared_files
