// The pictures below a folder, as training and `predict` find them. Knows nothing of plugins or of the host.
#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::shared_files {

// Suffixes of files, in small letters.
using Suffixes = std::span<const std::string_view>;
inline constexpr std::array<std::string_view, 5> kPictureSuffixes{".jpg", ".jpeg", ".jpe", ".jfif", ".png"};

// Returns the suffix of a file's name in small letters.
std::string small_suffix(const std::filesystem::path& file);

// Lists them as a sentence does: ".jpg, .jpeg or .png".
std::string text_of(Suffixes suffixes);

// Why a file is no picture of the folder: a suffix that is not read, hidden, a link to nothing, a link to a folder that
// was entered already, or no regular file.
enum class Skip { suffix, hidden, dangling_link, loop, special };

struct FoundPictures {
    std::vector<std::string> files;                             // relative to the folder, sorted by their bytes
    std::vector<std::pair<std::string, std::string>> unlisted;  // folders and files that cannot be read, and why
    std::vector<std::pair<std::string, Skip>> skipped;
};

// Every file with one of the suffixes, in any letter case, in the folder and below it. What begins with a dot is left
// out. Links are followed, to a folder after all that are no links, and each folder is entered once.
FoundPictures find_pictures(const std::filesystem::path& folder, Suffixes suffixes = kPictureSuffixes);

}  // namespace sluice::shared_files
