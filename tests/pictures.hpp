// Small picture files for tests, usual and unusual ones, and a reader for files of the host.
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

// Returns a smooth picture with a few hard edges. Another `seed` gives another picture.
Picture make_picture(int height, int width, int channels = 3, int seed = 0);

// Each function that makes a PNG or JPEG file returns the bytes of the file.
std::string png_of(const Picture& picture);  // 1 channel: grey, 3: RGB; 2 and 4: the same with transparency
// These PNG files describe their colours by an ICC profile or a gamma.
std::string png_with_profile(const Picture& picture, const std::string& profile);
std::string png_with_gamma(const Picture& picture, double gamma);
// This PNG file has a chunk cICP, with the numbers of primaries, transfer, matrix and range (ITU-T H.273).
std::string png_with_code_points(const Picture& picture, const std::string& numbers);
// `space` is the colour space "RGB " or "GRAY".
std::string icc_profile(const std::string& space);
// These return the profile of a PNG file, and true if the file is tagged as sRGB.
std::string profile_of_png(const std::string& bytes);
bool is_tagged_srgb(const std::string& png);
std::string png_of_16_bits(int height, int width, int channels = 3);
struct DeepPicture {
    int height = 0;
    int width = 0;
    int channels = 3;  // 1: grey, 3: RGB
    std::vector<std::uint16_t> values;
};
std::string png_of(const DeepPicture& picture, bool interlaced = false);  // with 16 bits
struct NumbersKind {
    int bits = 8;
    bool palette = false;  // numbers are indices into a palette, else grey values
    bool interlaced = false;
    int orientation = 1;  // as in EXIF
};
std::string png_of_numbers(const Picture& numbers, const NumbersKind& kind = {});  // 1 channel, below 2^bits
struct JpegKind {
    int across = 2;  // pixels that share a chroma value, in each direction
    int down = 2;
    bool progressive = false;
    int orientation = 1;  // as in EXIF
    int quality = 95;
    bool optimized = false;  // the file has optimized Huffman codes
    bool ycck = false;       // 4 channels are stored as YCCK, not as CMYK
    std::string profile{};   // ICC
};
std::string jpeg_of(const Picture& picture, const JpegKind& kind = {});  // 1 channel: grey, 3: RGB, 4: CMYK

Picture read_png(const std::string& bytes);  // 3 channels

}  // namespace sluice::test
