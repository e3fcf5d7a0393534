// JPEG files with restart markers: they have the same pixels as the original, whole and in windows, and any program can
// read them.
#include <string>

#include "pictures.hpp"
#include "unit/captured_log.hpp"
#include "unit/datasets/source_test.hpp"

namespace sluice::data {
namespace {

using test::jpeg_of;
using test::JpegKind;
using test::make_picture;

const std::string kRestart = "{ use = \"jpeg_restart\" }";

class Restarts : public SourceTest {
protected:
    static Chain chain_of(const std::string& map) {
        return make_chain("source = { use = \"photos\", folder = \"p\" }\nmap = [" + map + "]");
    }
    static std::vector<std::uint8_t> first_field(const std::string& map) {
        const Chain chain = chain_of(map);
        return bytes_of(Chain::Worker(chain).make(0, 0).fields.front());
    }
    // Returns the file p/a.jpg after `jpeg_restart` has coded it anew.
    static std::string restarted() {
        const std::vector<std::uint8_t> bytes = first_field(kRestart);
        return {bytes.begin(), bytes.end()};
    }

    // If a cache comes before the crop, the whole picture is decoded. The same window is drawn in both chains.
    static void expect_same_windows(const std::string& crop, int epochs) {
        const Chain pushed = chain_of(kRestart + ", { use = \"decode\" }, { " + crop + " }");
        const Chain whole = chain_of(kRestart + ", { use = \"decode\" }, { use = \"cache\" }, { " + crop + " }");
        Chain::Worker of_pushed(pushed);
        Chain::Worker of_whole(whole);
        for (int epoch = 0; epoch < epochs; ++epoch) {
            const auto e = static_cast<std::uint64_t>(epoch);
            ASSERT_EQ(bytes_of(of_pushed.make(e, 0).fields.front()), bytes_of(of_whole.make(e, 0).fields.front()))
                << crop << ", epoch " << epoch;
        }
    }
    static void expect_same(const std::string& file, int height, int width) {
        write("p/a.jpg", file);
        EXPECT_EQ(first_field(kRestart + ", { use = \"decode\" }"), first_field("{ use = \"decode\" }"));
        const auto crop = [](int h, int w) {
            return "use = \"random_crop\", size = [" + std::to_string(h) + ", " + std::to_string(w) + "]";
        };
        expect_same_windows(crop(1, 1), 30);
        expect_same_windows(crop(height - 1, width - 1), 4);
        expect_same_windows(crop(height - 1, std::min(width, 20)), 12);
        expect_same_windows(crop(std::min(height, 20), width - 1), 12);
        expect_same_windows(crop(std::min(height, 16), std::min(width, 24)), 30);
    }
};

TEST_F(Restarts, change_no_pixel_of_any_kind_of_jpeg) {
    for (const auto& [height, width] : {std::pair{61, 83}, {64, 128}, {17, 300}, {200, 9}, {130, 193}}) {
        for (const auto& [across, down] : {std::pair{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}}) {
            SCOPED_TRACE(std::to_string(height) + "x" + std::to_string(width) + " " + std::to_string(across) +
                         std::to_string(down));
            expect_same(jpeg_of(make_picture(height, width), {.across = across, .down = down}), height, width);
        }
        expect_same(jpeg_of(make_picture(height, width), {.progressive = true}), height, width);
        expect_same(jpeg_of(make_picture(height, width, 1), {.across = 1, .down = 1}), height, width);
    }
}

TEST_F(Restarts, leave_turned_pictures_turned) {
    for (const int orientation : {3, 6}) {
        expect_same(jpeg_of(make_picture(61, 83), {.orientation = orientation}), orientation == 6 ? 83 : 61,
                    orientation == 6 ? 61 : 83);
    }
}

TEST_F(Restarts, are_not_added_twice) {
    write("p/a.jpg", jpeg_of(make_picture(61, 83)));
    const std::string once = restarted();
    EXPECT_NE(once.find("SLUICERST1"), std::string::npos);
    write("p/a.jpg", once);
    EXPECT_EQ(restarted(), once);
}

TEST_F(Restarts, leave_other_files_as_they_are) {
    const std::string png = png_of(make_picture(20, 30));
    write("p/a.png", png);
    EXPECT_EQ(restarted(), png);
}

// Some of these files are found to be damaged. In others a coefficient cannot be coded anew, which is noticed only
// after much is written.
TEST_F(Restarts, of_flipped_bits_are_refused_or_leave_the_file_as_it_is) {
    test::Picture picture{.height = 64, .width = 64, .channels = 3, .pixels = {}};
    for (int i = 0; i < 64 * 64 * 3; ++i) {
        picture.pixels.push_back(i / (64 * 3) / 8 % 2 == i / 3 % 64 / 8 % 2 ? 0 : 255);  // a chessboard
    }
    std::string file = jpeg_of(picture, {.across = 1, .down = 1, .quality = 100});
    const std::size_t comment = 60000;
    file.insert(2, std::string("\xFF\xFE") + static_cast<char>(comment >> 8) + static_cast<char>(comment & 0xFF) +
                       std::string(comment - 2, 'c'));
    int left = 0;
    for (std::size_t at = file.find("\xFF\xDA") + 14; at < file.size() - 2; ++at) {
        std::string flipped = file;
        flipped[at] = static_cast<char>(flipped[at] ^ 1 << at % 8);
        write("p/a.jpg", flipped);
        std::string found;
        const std::string error = error_of([&] { found = restarted(); });
        left += found == flipped ? 1 : 0;
        EXPECT_TRUE(!found.empty() || error.starts_with("3 ")) << error;
    }
    EXPECT_GT(left, 0);
}

TEST_F(Restarts, are_refused_of_a_damaged_file) {
    const std::string file = jpeg_of(make_picture(100, 100));
    write("p/a.jpg", file.substr(0, file.size() / 2));
    expect_contains(error_of([] { restarted(); }), {"3 ", "a.jpg", "the JPEG file is damaged or cut off"});
}

// The index counts pixels of the whole picture, not of the scaled one.
TEST_F(Restarts, change_no_pixel_of_a_window_that_is_scaled_by_the_decoder) {
    const std::string original = jpeg_of(make_picture(400, 600));
    write("p/a.jpg", original);
    const std::string file = restarted();
    const std::string map =
        "{ use = \"decode\" }, { use = \"random_resized_crop\", size = [32, 32], dct_scaling = true }";
    const Chain chain = chain_of(map);
    Chain::Worker worker(chain);
    for (std::uint64_t epoch = 0; epoch < 20; ++epoch) {
        write("p/a.jpg", original);
        const std::vector<std::uint8_t> expected = bytes_of(worker.make(epoch, 0).fields.front());
        write("p/a.jpg", file);
        EXPECT_EQ(bytes_of(worker.make(epoch, 0).fields.front()), expected) << "epoch " << epoch;
    }
}

// Without restart markers, the decoder would also read the rows above the window, which are damaged here.
TEST_F(Restarts, let_a_window_be_decoded_alone) {
    write("p/a.jpg", jpeg_of(make_picture(400, 400)));
    std::string file = restarted();
    const std::size_t data = file.find("\xFF\xDA") + 14;
    for (std::size_t i = data; i < data + 200; ++i) {
        if (file[i] != '\xFF' && file[i - 1] != '\xFF') {
            file[i] = static_cast<char>(file[i] ^ 0x55);
        }
    }
    const std::string crop = ", { use = \"center_crop\", size = [64, 64] }";
    write("p/a.jpg", file);
    const std::vector<std::uint8_t> of_damaged = first_field("{ use = \"decode\" }" + crop);
    write("p/a.jpg", jpeg_of(make_picture(400, 400)));
    EXPECT_EQ(of_damaged, first_field("{ use = \"decode\" }" + crop));
}

TEST_F(Restarts, that_the_index_does_not_fit_are_decoded_without_it) {
    write("p/a.jpg", jpeg_of(make_picture(400, 400)));
    const std::string file = restarted();
    const std::string map = "{ use = \"decode\" }, { use = \"center_crop\", size = [64, 64] }";
    const std::vector<std::uint8_t> expected = first_field(map);
    const std::size_t rows = file.find("SLUICERST1") + 18;
    const CapturedLog log;
    for (const std::size_t at : {rows + 4 * 12 + 3, rows - 7}) {
        std::string damaged = file;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        write("p/a.jpg", damaged);
        EXPECT_EQ(first_field(map), expected);
    }
    const std::string log_text = log.take();
    expect_contains(log_text, {"restart index", "row 12 does not begin at byte", "are decoded without the index"});
    EXPECT_EQ(log_text.find("restart index"), log_text.rfind("restart index"));
}

// No flipped byte may lead to other pixels. A marker has a number of only three bits, so a wrong place may still follow
// a marker of the right number.
TEST_F(Restarts, with_any_flipped_byte_in_the_index_give_the_same_pixels) {
    write("p/a.jpg", jpeg_of(make_picture(100, 260)));
    const std::string file = restarted();
    const std::string map = "{ use = \"decode\" }, { use = \"center_crop\", size = [90, 250] }";
    const std::vector<std::uint8_t> expected = first_field(map);
    const std::size_t index = file.find("SLUICERST1");
    const std::size_t end = file.find("\xFF\xDA");
    const Chain chain = chain_of(map);
    Chain::Worker worker(chain);
    for (std::size_t at = index; at < end; ++at) {
        for (const int flip : {1, 2, 4, 5, 8, 0x55, 0x80}) {
            std::string damaged = file;
            damaged[at] = static_cast<char>(damaged[at] ^ flip);
            write("p/a.jpg", damaged);
            EXPECT_EQ(bytes_of(worker.make(0, 0).fields.front()), expected) << "byte " << at - index << " ^ " << flip;
        }
    }
}

// The index gives a row the place of another one, which follows a marker of the same number.
TEST_F(Restarts, whose_rows_are_exchanged_in_the_index_are_decoded_without_it) {
    write("p/a.jpg", jpeg_of(make_picture(400, 128)));
    const std::string file = restarted();
    const std::string map = "{ use = \"decode\" }, { use = \"center_crop\", size = [64, 64] }";
    const std::vector<std::uint8_t> expected = first_field(map);
    const std::size_t rows = file.find("SLUICERST1") + 18;
    for (const auto& [row, other] : {std::pair{8, 12}, {12, 8}, {0, 4}, {12, 0}}) {
        std::string damaged = file;
        damaged.replace(rows + 4 * static_cast<std::size_t>(row), 4, file, rows + 4 * static_cast<std::size_t>(other),
                        4);
        write("p/a.jpg", damaged);
        EXPECT_EQ(first_field(map), expected) << "row " << row << " as row " << other;
    }
}

}  // namespace
}  // namespace sluice::data
