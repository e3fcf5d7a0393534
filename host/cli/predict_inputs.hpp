// The pictures that `predict` is given, and the name that each result gets.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sluice::cli {

// A picture, and the path that its result gets below the output folder.
using PicturePair = std::pair<std::filesystem::path, std::filesystem::path>;

struct FoundInputs {
    std::vector<PicturePair> pictures;
    std::vector<std::string> unlisted;  // what cannot be looked into, with the reason
};

// A file, or the pictures of a folder without those below `output`. Results have the suffix .png instead of the
// picture's; if two would have one name, it is added to the whole name of each. Throws Error(Exit::data) if there are
// none.
FoundInputs find_inputs(const std::filesystem::path& input, const std::filesystem::path& output);

// Throws Error(Exit::config) if a result would be written over a picture that is read.
void check_outputs(std::span<const PicturePair> pictures, const std::filesystem::path& output);

}  // namespace sluice::cli
