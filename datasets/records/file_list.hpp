// The files that option 'path' names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sluice::records {

// Sorted by name; at least one. Throws SLUICE_INVALID where there is none, and SLUICE_BAD_SAMPLE where of the files
// that end in -00000-of-00004 some are missing and may not be.
std::vector<std::filesystem::path> list_files(const std::string& path, bool may_miss);

}  // namespace sluice::records
