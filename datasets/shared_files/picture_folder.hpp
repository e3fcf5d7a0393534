// The pictures below a folder.
#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::shared_files {

// Suffixes of files, in small letters.
using Suffixes = std::span<const std::string_view>;
inline constexpr std::array<std::string_view, 3> kPictureSuffixes{".jpg", ".jpeg", ".png"};

// As a sentence lists them: ".jpg, .jpeg or .png".
std::string text_of(Suffixes suffixes);

// Throws SLUICE_INVALID where there is no such folder. `option` is the one that names it.
void require_folder(const std::filesystem::path& folder, const std::string& option);

// Paths, relative to `folder`, of every file with one of the suffixes, in any letter case, in it and below it, sorted
// by their bytes. Links are followed; what begins with a dot is left out. `option` is the one that names the folder.
std::vector<std::string> list_pictures(const std::filesystem::path& folder, const std::string& option,
                                       Suffixes suffixes = kPictureSuffixes);

}  // namespace sluice::shared_files
