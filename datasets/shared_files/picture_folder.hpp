// The pictures below a folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sluice::shared_files {

// Throws SLUICE_INVALID where there is no such folder. `option` is the one that names it.
void require_folder(const std::filesystem::path& folder, const std::string& option);

// Paths, relative to `folder`, of every .jpg, .jpeg and .png file in it and below it (suffixes in any letter case),
// sorted by their bytes. Links are followed; what begins with a dot is left out. `option` is the one that names the
// folder.
std::vector<std::string> list_pictures(const std::filesystem::path& folder, const std::string& option);

}  // namespace sluice::shared_files
