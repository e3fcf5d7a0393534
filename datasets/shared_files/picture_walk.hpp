// Finds the pictures below a folder, for training and `predict`. Independent of plugins and the host.
#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::shared_files {

// Suffixes of files, in lower case.
using Suffixes = std::span<const std::string_view>;
inline constexpr std::array<std::string_view, 5> kPictureSuffixes{".jpg", ".jpeg", ".jpe", ".jfif", ".png"};

// Returns the suffix of a file's name in lower case.
std::string small_suffix(const std::filesystem::path& file);

// Lists them for a sentence: ".jpg, .jpeg or .png".
std::string text_of(Suffixes suffixes);

// Why a file is skipped: an unsupported suffix, hidden, a dangling link, a link to a folder that was already entered,
// or not a regular file.
enum class Skip { suffix, hidden, dangling_link, loop, special };

struct FoundPictures {
    std::vector<std::string> files;                             // relative to the folder, sorted by bytes
    std::vector<std::pair<std::string, std::string>> unlisted;  // unreadable folders and files, and why
    std::vector<std::pair<std::string, Skip>> skipped;
};

// Finds every file with one of the suffixes, in any letter case, in the folder and below it. Names that begin with a
// dot are skipped. Links are followed; links to folders come after all real folders, and each folder is entered once.
FoundPictures find_pictures(const std::filesystem::path& folder, Suffixes suffixes = kPictureSuffixes);

}  // namespace sluice::shared_files
