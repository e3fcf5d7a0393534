// The pictures that `predict` is given, and the name that each result gets.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sluice::cli {

// A picture, and the path of its result below the output folder.
using PicturePair = std::pair<std::filesystem::path, std::filesystem::path>;

struct FoundInputs {
    std::vector<PicturePair> pictures;
    std::vector<std::string> unlisted;  // folders that cannot be listed, with the reason
};

// Finds one picture, or all pictures of a folder except those below `output`. A result's name has the suffix .png
// instead of the picture's. If two would share a name, .png follows the whole name of each. Throws Error(Exit::data) if
// there is no picture.
FoundInputs find_inputs(const std::filesystem::path& input, const std::filesystem::path& output);

// Throws Error(Exit::config) if a result would be written over a picture that is read.
void check_outputs(std::span<const PicturePair> pictures, const std::filesystem::path& output);

}  // namespace sluice::cli
