// `host predict`: pictures of any size and name come out in their own size, without visible seams.
#include <algorithm>
#include <cstdlib>

#include "pictures.hpp"
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Predict : public PipelineTest {
protected:
    Predict() {
        write_tiny();
        train();
    }
    [[nodiscard]] Finished predict(const std::string& input, const std::string& output,
                                   const std::vector<std::string>& more = {}) const {
        return host(joined({"predict", checkpoint(), "--input", input, "--output", output}, more));
    }
    [[nodiscard]] Picture output(const std::string& name) const { return read_png(read_bytes(folder() / name)); }
    void expect_size(const std::string& name, int height, int width) const {
        const Picture picture = output(name);
        EXPECT_EQ(picture.height, height) << name;
        EXPECT_EQ(picture.width, width) << name;
    }
};

TEST_F(Predict, one_file) {
    write("a picture.jpg", jpeg_of(make_picture(77, 133)));
    expect_success(predict("a picture.jpg", "out"));
    expect_size("out/a picture.png", 77, 133);
}

TEST_F(Predict, folder_of_all_sizes) {
    write("in/deep er/ödd name.JPG", jpeg_of(make_picture(133, 77)));
    write("in/tiny.png", png_of(make_picture(3, 5)));
    write("in/one.png", png_of(make_picture(1, 1)));
    write("in/large.png", png_of(make_picture(300, 517)));
    write("in/grey.jpeg", jpeg_of(make_picture(40, 50, 1)));
    write("in/notes.txt", "no picture");
    const Finished finished = predict("in", "out");
    expect_success(finished);
    expect_size("out/deep er/ödd name.png", 133, 77);
    expect_size("out/tiny.png", 3, 5);
    expect_size("out/one.png", 1, 1);
    expect_size("out/large.png", 300, 517);
    expect_size("out/grey.png", 40, 50);
    EXPECT_EQ(count_of(finished.err, " -> "), 5U) << finished.err;
}

TEST_F(Predict, says_once_that_16_bits_are_read_as_8) {
    write("in/a.png", png_of_16_bits(20, 30));
    write("in/b.png", png_of_16_bits(20, 30, 1));
    const Finished finished = predict("in", "out");
    expect_success(finished);
    EXPECT_EQ(count_of(finished.err, "decode: PNG files of 16 bits are read as 8 (first: field '"), 1U) << finished.err;
    std::filesystem::remove_all(folder() / "in");
    write("in/c.png", png_of(make_picture(20, 30)));
    EXPECT_EQ(predict("in", "out").err.find("16 bits"), std::string::npos);
}

TEST_F(Predict, pictures_of_one_name_do_not_overwrite_one_another) {
    write("in/a.png", png_of(make_picture(20, 20)));
    write("in/a.jpg", jpeg_of(make_picture(30, 30)));
    const Finished finished = predict("in", "out");
    expect_refused(finished, 2, {"in/a.jpg", "in/a.png", "out/a.png"});
}

TEST_F(Predict, never_over_its_input) {
    const std::string bytes = png_of(make_picture(20, 20));
    write("in/a.png", bytes);
    expect_refused(predict("in", "in"), 2, {"in/a.png"});
    EXPECT_EQ(read_bytes(folder() / "in/a.png"), bytes);
}

TEST_F(Predict, tiles_leave_no_seams) {
    write("a.png", png_of(make_picture(200, 240)));
    expect_success(predict("a.png", "tiles", {"--tile", "64", "--overlap", "32"}));
    expect_success(predict("a.png", "whole", {"--tile", "240"}));
    const Picture tiles = output("tiles/a.png");
    const Picture whole = output("whole/a.png");
    ASSERT_EQ(tiles.pixels.size(), whole.pixels.size());
    int largest = 0;
    for (std::size_t i = 0; i < tiles.pixels.size(); ++i) {
        largest = std::max(largest, std::abs(tiles.pixels[i] - whole.pixels[i]));
    }
    EXPECT_LE(largest, 2);
    EXPECT_NE(tiles.pixels, make_picture(200, 240).pixels);  // the network did something
}

TEST_F(Predict, a_bad_picture_does_not_stop_the_others) {
    write("mixed/a_torn.png", png_of(make_picture(40, 40)).substr(0, 100));
    write("mixed/b.png", png_of(make_picture(40, 40)));
    const Finished finished = host({"predict", checkpoint(), "--input", "mixed", "--output", "restored"});
    EXPECT_EQ(finished.exit, 3) << finished.err;
    expect_contains(finished.err, {"a_torn.png", "1 of 2 pictures could not be restored"});
    EXPECT_TRUE(std::filesystem::exists(folder() / "restored/b.png"));
}

TEST_F(Predict, bad_input) {
    expect_refused(predict("nothing.png", "out"), 3, {"nothing.png", "no such picture"});
    std::filesystem::create_directories(folder() / "bare");
    expect_refused(predict("bare", "out"), 3, {"bare", "no .jpg"});
    write("cut.jpg", jpeg_of(make_picture(40, 40)).substr(0, 500));
    expect_refused(predict("cut.jpg", "out"), 3, {"cut.jpg", "cut off"});
    write("print.jpg", jpeg_of(make_picture(40, 40, 4)));
    expect_refused(predict("print.jpg", "out"), 3, {"print.jpg", "CMYK"});
    write("good.png", png_of(make_picture(20, 20)));
    expect_refused(predict("good.png", "tiny.toml/out"), 8, {"tiny.toml/out"});
    expect_refused(predict("good.png", "out", {"--tile", "8"}), 2, {"8", "at least 16"});
    expect_refused(predict("good.png", "out", {"--tile", "64", "--overlap", "40"}), 2, {"40", "half"});
}

}  // namespace
}  // namespace sluice::test
