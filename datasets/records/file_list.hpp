// The files that option 'path' names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sluice::records {

struct FileList {
    std::vector<std::filesystem::path> files;  // sorted by name; at least one
    std::vector<std::string> missing;          // of those that end in -00000-of-00004, what is to be told of each
};

// Throws SLUICE_INVALID where there is none.
FileList list_files(const std::string& path);

}  // namespace sluice::records
