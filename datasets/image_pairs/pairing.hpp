// Which blurred picture belongs to which sharp one.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "shared_files/twins.hpp"

namespace sluice::image_pairs {

// The blurred picture and the sharp one, by the pair's name.
using Pairs = std::map<std::string, shared_files::Twins>;

// Two folders; a pair's name is the relative path that its pictures have in common, without suffix. Throws as
// shared_files::pair_by_name().
Pairs pair_folders(const std::filesystem::path& blurred, const std::filesystem::path& sharp,
                   shared_files::PassedOver& passed_over);

// A folder of scenes, root/SCENE/{blur,sharp}; a pair's name begins with that of its scene.
Pairs pair_scenes(const std::filesystem::path& root, shared_files::PassedOver& passed_over);

}  // namespace sluice::image_pairs
