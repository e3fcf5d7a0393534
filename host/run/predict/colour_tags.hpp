// The colour space of a picture file: an ICC profile, or the tags of a PNG file. Pixels are never converted, so the
// picture that `predict` writes has the same colour space.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::run {

struct ColourTags {
    std::string profile;  // an ICC profile
    // PNG only, in addition to the other tags: data of the chunk cICP, which names a colour space, for example HDR.
    std::string code_points;
    // PNG without a profile:
    std::optional<int> srgb_intent;
    std::optional<double> gamma;
    std::optional<std::array<double, 8>> chromaticities;  // x and y of white, red, green, blue
};

// Reads the tags of a JPEG or PNG file. Returns no tags if the file cannot be read.
ColourTags read_colour_tags(std::string_view file);

// True if the profile is for pictures with this number of channels: RGB or grey.
bool fits_channels(const std::string& profile, std::int64_t channels);

}  // namespace sluice::run
