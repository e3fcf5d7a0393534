// Which picture of one folder belongs to which of another.
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
    std::string missing{};  // where one is not there, which: then its path here has no suffix
};

// By the relative path that the two have in common, without suffix. Throws SLUICE_INVALID where one of the folders has
// no pictures, or two that differ in their suffix alone.
std::map<std::string, Twins> pair_by_name(const NamedFolder& first, const NamedFolder& second, PassedOver& passed_over);

// tell_missing() of those of them that are not both there, and warn_of_forms() of the names.
void tell_missing_twins(const sdk::Host& host, const sdk::Options& options, const std::map<std::string, Twins>& twins);

// A sample of two fields. Its name holds both files, because either may be the bad one.
void read_twins(const Twins& twins, const sdk::SampleSink& sink);

// Of all files, see file_identity.hpp.
std::array<std::uint64_t, 2> identity_of_twins(std::span<const Twins> all);

}  // namespace sluice::shared_files
