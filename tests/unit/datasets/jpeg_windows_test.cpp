// Windows of JPEG files without restart markers: the decoder skips the blocks before a small window, and the window has
// the pixels of the whole picture.
#include <random>
#include <string>

#include "codec/scan_cut.hpp"
#include "pictures.hpp"
#include "unit/datasets/source_test.hpp"

namespace sluice::data {
namespace {

using test::jpeg_of;
using test::JpegKind;
using test::make_picture;
using test::Picture;

// Returns a picture in which every Huffman code occurs.
Picture noise(int height, int width) {
    Picture picture{.height = height, .width = width, .channels = 3, .pixels = {}};
    std::mt19937 random(7);
    for (int i = 0; i < height * width * 3; ++i) {
        picture.pixels.push_back(static_cast<std::uint8_t>(random() % (i % 7 == 0 ? 256 : 40)));
    }
    return picture;
}

class JpegWindows : public SourceTest {
protected:
    static Chain chain_of(const std::string& map) {
        return make_chain("source = { use = \"photos\", folder = \"p\" }\nmap = [" + map + "]");
    }
    static std::string crop(int height, int width) {
        return "{ use = \"random_crop\", size = [" + std::to_string(height) + ", " + std::to_string(width) + "] }";
    }
    // If a cache comes before the crop, the whole picture is decoded. The same window is drawn in both chains.
    static void expect_windows_of_the_whole(const std::string& file, int height, int width) {
        write("p/a.jpg", file);
        const Chain pushed = chain_of("{ use = \"decode\" }, " + crop(height, width));
        const Chain whole = chain_of("{ use = \"decode\" }, { use = \"cache\" }, " + crop(height, width));
        Chain::Worker of_pushed(pushed);
        Chain::Worker of_whole(whole);
        for (std::uint64_t epoch = 0; epoch < 30; ++epoch) {
            ASSERT_EQ(bytes_of(of_pushed.make(epoch, 0).fields.front()),
                      bytes_of(of_whole.make(epoch, 0).fields.front()))
                << height << "x" << width << ", epoch " << epoch;
        }
    }
    static bool is_cut_out(const std::string& file, const transforms::Window& window) {
        const auto* const bytes = reinterpret_cast<const std::uint8_t*>(file.data());
        return transforms::cut_out_of_scan({bytes, file.size()}, window).has_value();
    }
};

TEST_F(JpegWindows, have_the_pixels_of_the_whole_picture) {
    for (const auto& [height, width] : {std::pair{161, 183}, {17, 300}, {300, 19}}) {
        for (const auto& [across, down] : {std::pair{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}}) {
            for (const bool optimized : {false, true}) {
                for (const int quality : {40, 95, 100}) {
                    const JpegKind kind{.across = across, .down = down, .quality = quality, .optimized = optimized};
                    SCOPED_TRACE(std::to_string(height) + "x" + std::to_string(width) + " " + std::to_string(across) +
                                 std::to_string(down) + " " + std::to_string(quality));
                    expect_windows_of_the_whole(jpeg_of(make_picture(height, width), kind), 9, 14);
                    expect_windows_of_the_whole(jpeg_of(noise(height, width), kind), 16, 16);
                }
            }
        }
        expect_windows_of_the_whole(jpeg_of(make_picture(height, width, 1), {.across = 1, .down = 1}), 16, 16);
        expect_windows_of_the_whole(jpeg_of(make_picture(height, width), {.progressive = true}), 16, 16);
    }
}

TEST_F(JpegWindows, are_cut_out_if_that_is_less_work) {
    const std::string file = jpeg_of(noise(400, 400));
    EXPECT_TRUE(is_cut_out(file, {300, 100, {64, 64}}));
    EXPECT_TRUE(is_cut_out(file, {336, 336, {64, 64}})) << "the window is in the corner";
    EXPECT_FALSE(is_cut_out(file, {0, 0, {64, 300}})) << "the window is nearly all that the decoder reads";
    EXPECT_FALSE(is_cut_out(jpeg_of(noise(400, 400), {.progressive = true}), {300, 100, {64, 64}}));
    EXPECT_FALSE(is_cut_out(file.substr(0, file.size() / 2), {300, 100, {64, 64}})) << "the window is cut off";
}

// The decoder then reads the rows itself and reports what is wrong.
TEST_F(JpegWindows, of_damaged_files_are_refused_or_made_by_the_decoder) {
    const std::string file = jpeg_of(noise(160, 160), {.quality = 60});
    const std::string map = "{ use = \"decode\" }, { use = \"center_crop\", size = [32, 32] }";
    write("p/a.jpg", file);
    const Chain chain = chain_of(map);
    const std::vector<std::uint8_t> right = bytes_of(Chain::Worker(chain).make(0, 0).fields.front());
    const std::size_t data = file.find("\xFF\xDA") + 14;
    int refused = 0;
    for (std::size_t at = 2; at < file.size() - 2; at += at < data ? 3 : 29) {
        std::string damaged = file;
        damaged[at] = static_cast<char>(damaged[at] ^ 1 << at % 8);
        write("p/a.jpg", damaged);
        std::vector<std::uint8_t> found;
        const std::string error =
            error_of([&] { found = bytes_of(Chain::Worker(chain_of(map)).make(0, 0).fields.front()); });
        EXPECT_TRUE(found.size() == right.size() || error.starts_with("3 ")) << at << ": " << error;
        refused += found.empty() ? 1 : 0;
        if (at > data + (file.size() - data) * 3 / 4) {  // the damage is below the window
            EXPECT_EQ(found, right) << at;
        }
    }
    EXPECT_GT(refused, 5);
}

}  // namespace
}  // namespace sluice::data
