// Finds the files that option 'path' names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sluice::records {

struct FileList {
    std::vector<std::filesystem::path> files;  // sorted by name; at least one
    std::vector<std::string> missing;          // a message for each missing shard of files named -00000-of-00004
};

// Throws SLUICE_INVALID if there is no file.
FileList list_files(const std::string& path);

}  // namespace sluice::records
