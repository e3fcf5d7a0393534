// Pairs the pictures of two folders by name. The two files of a pair are called twins.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "picture_folder.hpp"
#include "sluice/sdk/data.hpp"
#include "sluice/sdk/host.hpp"
#include "sluice/sdk/options.hpp"

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
    std::string missing{};  // not empty: the message about a twin that is missing; its path here has no suffix
};

// Pairs by the common relative path without suffix. Throws SLUICE_INVALID if a folder has no pictures, or has two that
// differ only in their suffix.
std::map<std::string, Twins> pair_by_name(const NamedFolder& first, const NamedFolder& second,
                                          SkippedFiles& skipped_files);

// Calls report_missing() for incomplete twins, and warn_of_forms() for all names.
void report_missing_twins(const sdk::Host& host, const sdk::Options& options,
                          const std::map<std::string, Twins>& twins);

// Reads a sample of two fields. Its name contains both files, because either may be bad.
void read_twins(const Twins& twins, const sdk::SampleSink& sink);

// The identity of all files; see file_identity.hpp.
std::array<std::uint64_t, 2> identity_of_twins(std::span<const Twins> all);

}  // namespace sluice::shared_files
