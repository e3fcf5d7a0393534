// Which picture of one folder belongs to which of another.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "picture_folder.hpp"

namespace sluice::shared_files {

// A folder of pictures, and the option that names it.
struct NamedFolder {
    std::filesystem::path path;
    std::string option;
    Suffixes suffixes = kPictureSuffixes;
};

struct Twins {
    std::filesystem::path first;
    std::filesystem::path second;
};

// By the relative path that the two have in common, without suffix. Throws SLUICE_INVALID where one of the folders has
// no pictures, or two that differ in their suffix alone, and SLUICE_BAD_SAMPLE where a picture has no twin.
std::map<std::string, Twins> pair_by_name(const NamedFolder& first, const NamedFolder& second);

}  // namespace sluice::shared_files
