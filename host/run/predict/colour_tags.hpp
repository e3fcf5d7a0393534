// What a picture file says of its colours: an ICC profile, or how PNG files say it. Pixels are never converted, so it
// is as true of the picture that `predict` makes.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::run {

struct ColourTags {
    std::string profile;  // an ICC profile
    // Of PNG files, beside the others: the data of chunk cICP, which names a colour space, such as one of HDR.
    std::string code_points;
    // Of PNG files without a profile:
    std::optional<int> srgb_intent;
    std::optional<double> gamma;
    std::optional<std::array<double, 8>> chromaticities;  // x and y of white, red, green, blue
};

// Of a JPEG or PNG file; nothing of one that cannot be read.
ColourTags read_colour_tags(std::string_view file);

// Whether the profile is one of pictures with that many channels: of RGB or of grey.
bool fits_channels(const std::string& profile, std::int64_t channels);

}  // namespace sluice::run
