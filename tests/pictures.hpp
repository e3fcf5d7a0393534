// Small picture files for tests, good ones and odd ones, and reading back what the host wrote.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::test {

struct Picture {
    int height = 0;
    int width = 0;
    int channels = 3;
    std::vector<std::uint8_t> pixels;
};

// Smooth, with a few hard edges; another `seed` gives another picture.
Picture make_picture(int height, int width, int channels = 3, int seed = 0);

// The bytes of files.
std::string png_of(const Picture& picture);  // 1 channel: grey, 3: RGB, 2 and 4: with transparency
// With what the file says of its colours: an ICC profile, or a gamma.
std::string png_with_profile(const Picture& picture, const std::string& profile);
std::string png_with_gamma(const Picture& picture, double gamma);
// With chunk cICP: primaries, transfer, matrix and range by their numbers (ITU-T H.273).
std::string png_with_code_points(const Picture& picture, const std::string& numbers);
// Of the colour space "RGB " or "GRAY".
std::string icc_profile(const std::string& space);
// That of a PNG file, and whether it says that it is sRGB.
std::string profile_of_png(const std::string& bytes);
bool is_tagged_srgb(const std::string& png);
std::string png_of_16_bits(int height, int width, int channels = 3);
struct DeepPicture {
    int height = 0;
    int width = 0;
    int channels = 3;  // 1: grey, 3: RGB
    std::vector<std::uint16_t> values;
};
std::string png_of(const DeepPicture& picture, bool interlaced = false);  // of 16 bits
struct NumbersKind {
    int bits = 8;
    bool palette = false;  // indices of one of colours, else values of grey
    bool interlaced = false;
    int orientation = 1;  // as in EXIF
};
std::string png_of_numbers(const Picture& numbers, const NumbersKind& kind = {});  // 1 channel, below 2^bits
struct JpegKind {
    int across = 2;  // pixels that share a colour
    int down = 2;
    bool progressive = false;
    int orientation = 1;  // as in EXIF
    int quality = 95;
    bool optimized = false;  // codes of its own
    bool ycck = false;       // of 4 channels: as YCCK, not as CMYK
    std::string profile{};   // ICC
};
std::string jpeg_of(const Picture& picture, const JpegKind& kind = {});  // 1 channel: grey, 3: RGB, 4: CMYK

Picture read_png(const std::string& bytes);  // 3 channels

}  // namespace sluice::test
