// The pictures below a folder.
#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "passed_over.hpp"

namespace sluice::shared_files {

// Suffixes of files, in small letters.
using Suffixes = std::span<const std::string_view>;
inline constexpr std::array<std::string_view, 5> kPictureSuffixes{".jpg", ".jpeg", ".jpe", ".jfif", ".png"};

// Of a file's name, in small letters.
std::string small_suffix(const std::filesystem::path& file);

// As a sentence lists them: ".jpg, .jpeg or .png".
std::string text_of(Suffixes suffixes);

// "there is no file 'a.png'", or why it cannot be read; empty if it is there.
std::string why_no_file(const std::filesystem::path& file);

// Throws SLUICE_INVALID if that cannot be known. `option` is the one that names it or a folder above.
bool is_folder(const std::filesystem::path& folder, const std::string& option);

// Throws SLUICE_INVALID where there is no such folder. `option` is the one that names it.
void require_folder(const std::filesystem::path& folder, const std::string& option);

// Paths, relative to `folder`, of every file with one of the suffixes, in any letter case, in it and below it, sorted
// by their bytes. Links are followed; what begins with a dot is left out. `option` is the one that names the folder.
// All others are counted in `passed_over`.
std::vector<std::string> list_pictures(const std::filesystem::path& folder, const std::string& option,
                                       PassedOver& passed_over, Suffixes suffixes = kPictureSuffixes);

}  // namespace sluice::shared_files
