// Writes the PNG files of `predict`.
#pragma once

#include <filesystem>

#include "base/tensor.hpp"
#include "run/predict/colour_tags.hpp"

namespace sluice::run {

// Writes uint8 [H, W, 1 or 3] atomically and creates the folder. Returns false if the ICC profile is left out, because
// it does not fit the channels or is damaged. Throws Error(Exit::save) or OutOfMemory.
bool write_png(const std::filesystem::path& file, const HostTensor& image, const ColourTags& colours = {});

}  // namespace sluice::run
