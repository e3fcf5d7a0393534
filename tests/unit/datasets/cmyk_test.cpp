// JPEG files in CMYK and YCCK become the RGB that Pillow makes of them, whole, in windows and scaled.
#include <array>
#include <cstdlib>

#include "pictures.hpp"
#include "unit/datasets/source_test.hpp"

namespace sluice::data {
namespace {

using test::jpeg_of;
using test::JpegKind;
using test::make_picture;
using test::Picture;

class Cmyk : public SourceTest {
protected:
    static std::vector<std::uint8_t> first_of(const std::string& map) {
        const Chain chain = make_chain("source = { use = \"photos\", folder = \"p\" }\nmap = [" + map + "]");
        return bytes_of(Chain::Worker(chain).make(0, 0).fields.front());
    }
    // Tests all three ways to decode a window: rows, blocks cut out of the scan, and segments between restart markers.
    static void expect_same_windows(const std::string& file) {
        write("p/a.jpg", file);
        for (const std::string crop : {"[1, 1]", "[16, 24]", "[59, 80]"}) {
            const std::string window = "{ use = \"random_crop\", size = " + crop + " }";
            const auto whole = first_of("{ use = \"decode\" }, { use = \"cache\" }, " + window);
            EXPECT_EQ(first_of("{ use = \"decode\" }, " + window), whole) << crop;
            EXPECT_EQ(first_of("{ use = \"jpeg_restart\" }, { use = \"decode\" }, " + window), whole) << crop;
        }
    }
};

// The values of one quarter of the picture: as stored, which is inverted, and as Pillow 13.0 decodes them.
struct Quarter {
    std::array<std::uint8_t, 4> cmyk;
    std::array<int, 3> rgb;
};
constexpr std::array<Quarter, 4> kQuarters{{{{55, 155, 205, 235}, {51, 143, 189}},
                                            {{255, 255, 255, 255}, {255, 255, 255}},
                                            {{0, 255, 255, 255}, {0, 255, 255}},
                                            {{245, 235, 225, 55}, {53, 51, 49}}}};

Picture quarters() {
    Picture picture{64, 64, 4, {}};
    for (int i = 0; i < 64 * 64; ++i) {
        const Quarter& quarter = kQuarters[static_cast<std::size_t>(i / 64 / 32 * 2 + i % 64 / 32)];
        picture.pixels.insert(picture.pixels.end(), quarter.cmyk.begin(), quarter.cmyk.end());
    }
    return picture;
}

void expect_quarters(const std::vector<std::uint8_t>& rgb, int size, const std::string& what) {
    ASSERT_EQ(rgb.size(), static_cast<std::size_t>(size * size * 3)) << what;
    for (std::size_t q = 0; q < kQuarters.size(); ++q) {
        const std::size_t row = static_cast<std::size_t>(size) * (1 + 2 * (q / 2)) / 4;
        const std::size_t column = static_cast<std::size_t>(size) * (1 + 2 * (q % 2)) / 4;
        for (std::size_t c = 0; c < 3; ++c) {
            const int found = rgb[(row * static_cast<std::size_t>(size) + column) * 3 + c];
            EXPECT_LE(std::abs(found - kQuarters[q].rgb[c]), 2) << what << ", quarter " << q << ", channel " << c;
        }
    }
}

TEST_F(Cmyk, is_made_rgb_as_pillow_does) {
    const std::string cmyk = jpeg_of(quarters(), {.across = 1, .down = 1, .quality = 100});
    const std::size_t adobe = cmyk.find("\xFF\xEE");
    ASSERT_NE(adobe, std::string::npos);
    const std::size_t length = 2 + static_cast<unsigned char>(cmyk[adobe + 3]);
    const std::pair<std::string, std::string> files[] = {
        {"CMYK", cmyk},
        {"CMYK without the marker of Adobe", cmyk.substr(0, adobe) + cmyk.substr(adobe + length)},
        {"YCCK", jpeg_of(quarters(), {.quality = 100, .ycck = true})},
        {"progressive", jpeg_of(quarters(), {.progressive = true, .quality = 100, .ycck = true})}};
    for (const auto& [what, file] : files) {
        write("p/a.jpg", file);
        expect_quarters(first_of("{ use = \"decode\" }"), 64, what);
        expect_quarters(first_of("{ use = \"jpeg_restart\" }, { use = \"decode\" }"), 64, what + ", restart");
        expect_quarters(first_of(R"({ use = "decode" }, { use = "resize", size = [16, 16], dct_scaling = true })"), 16,
                        what + ", scaled");
    }
}

TEST_F(Cmyk, windows_have_the_bytes_of_the_whole) {
    expect_same_windows(jpeg_of(make_picture(61, 83, 4), {.across = 1, .down = 1}));
    expect_same_windows(jpeg_of(make_picture(61, 83, 4), {.ycck = true}));
    expect_same_windows(jpeg_of(make_picture(61, 83, 4), {.progressive = true, .ycck = true}));
}

// The process logs the line once, so earlier tests may have logged it already.
TEST_F(Cmyk, is_logged_at_most_once) {
    write("p/a.jpg", jpeg_of(make_picture(16, 16, 4)));
    write("p/b.jpg", jpeg_of(make_picture(16, 16, 4)));
    const CapturedLog log;
    for (int i = 0; i < 2; ++i) {
        first_of("{ use = \"decode\" }");
    }
    const std::string text = log.take();
    const std::size_t first = text.find("JPEG files in CMYK are converted to RGB");
    EXPECT_EQ(text.find("JPEG files in CMYK", first + 1), std::string::npos) << text;
}

}  // namespace
}  // namespace sluice::data
