// Pairs blurred pictures with sharp ones.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "shared_files/pairs_by_name.hpp"

namespace sluice::image_pairs {

// Pair's name -> the blurred picture and the sharp one.
using Pairs = std::map<std::string, shared_files::Twins>;

// Pairs two folders. A pair's name is the common relative path of its pictures without suffix. Throws like
// shared_files::pair_by_name().
Pairs pair_folders(const std::filesystem::path& blurred, const std::filesystem::path& sharp,
                   shared_files::SkippedFiles& skipped_files);

// Pairs a folder of scenes, root/SCENE/{blur,sharp}. A pair's name begins with the name of its scene.
Pairs pair_scenes(const std::filesystem::path& root, shared_files::SkippedFiles& skipped_files);

}  // namespace sluice::image_pairs
