// `host predict`: it restores pictures of any size and name in their own size, without visible seams.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

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

TEST_F(Predict, finds_the_pictures_that_training_finds) {
    namespace fs = std::filesystem;
    const std::string picture = png_of(make_picture(20, 30));
    const std::string longest(246, 'n');
    for (const std::string name : {"a.png", "._a.png", ".ipynb_checkpoints/a.png", "x/y/b.PNG", "x/notes.txt"}) {
        write("in/" + name, picture);
    }
    write("in/" + longest + ".png", picture);
    write("elsewhere/c.png", picture);
    fs::create_directory_symlink("../elsewhere", folder() / "in/linked");
    fs::create_directory_symlink("../../elsewhere", folder() / "in/x/linked_again");
    fs::create_directory_symlink("..", folder() / "in/x/up");
    fs::create_symlink("nowhere.png", folder() / "in/dangling.png");
    fs::create_symlink("loop.png", folder() / "in/loop.png");
    const Finished finished = predict("in", "out");
    expect_success(finished);
    EXPECT_EQ(count_of(finished.err, " -> "), 4U) << finished.err;
    for (const std::string& name : {std::string("a"), std::string("x/y/b"), std::string("linked/c"), longest}) {
        expect_size("out/" + name + ".png", 20, 30);
    }
    write_tiny(kValidationOnPhotos);
    const auto found = scores(checkpoint(), {"--pipeline", "tiny.toml", "--set", "data.validation.source.folder=in"});
    EXPECT_EQ(found.at("samples"), 4);
}

// The folder is too deep for a path, so that not even root, who may open all folders, can list it.
void make_folder_that_cannot_be_listed(const std::filesystem::path& parent) {
    int at = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY);
    for (int depth = 0; depth < 20; ++depth) {
        const std::string name(250, 'd');
        ASSERT_EQ(::mkdirat(at, name.c_str(), 0777), 0);
        const int next = ::openat(at, name.c_str(), O_RDONLY | O_DIRECTORY);
        ::close(at);
        at = next;
    }
    ::close(at);
}

TEST_F(Predict, again_passes_over_its_results) {
    write("in/a.png", png_of(make_picture(20, 30)));
    expect_success(predict("in", "in/restored"));
    const Finished again = predict("in", "in/restored");
    expect_success(again);
    EXPECT_EQ(count_of(again.err, " -> "), 1U) << again.err;
    expect_contains(again.err, {"1 picture below in/restored is skipped: it is the output folder"});
    EXPECT_FALSE(std::filesystem::exists(folder() / "in/restored/restored"));
}

TEST_F(Predict, a_folder_that_cannot_be_listed_does_not_stop_the_rest) {
    write("in/b.png", png_of(make_picture(20, 30)));
    make_folder_that_cannot_be_listed(folder() / "in");
    const Finished finished = predict("in", "out");
    EXPECT_EQ(finished.exit, 3) << finished.err;
    expect_contains(finished.err, {"ddd: File name too long", "E 1 folder could not be searched"});
    expect_size("out/b.png", 20, 30);
    const Finished training =
        host({"train", "tiny.toml", "--run-folder", "deep", "--set",
              R"(data.train.source={ use = "photos", folder = "in" })", "--set", R"(data.train.map=["decode"])"});
    expect_refused(training, 2, {"option 'folder': File name too long: cannot list 'in/ddd"});
}

TEST_F(Predict, a_result_that_cannot_be_written_does_not_stop_the_others) {
    write("in/a.png", png_of(make_picture(20, 30)));
    write("in/x/b.png", png_of(make_picture(20, 30)));
    write("out/x", "a file where a folder is needed");
    const Finished finished = predict("in", "out");
    EXPECT_EQ(finished.exit, 8) << finished.err;
    expect_contains(finished.err, {"out/x: cannot make the folder", "1 of 2 pictures could not be restored"});
    expect_size("out/a.png", 20, 30);
}

TEST_F(Predict, says_that_transparency_is_left_out) {
    write("in/a.png", png_of(make_picture(20, 30, 2)));
    write("in/b.png", png_of(make_picture(20, 30, 2)));
    const Finished finished = predict("in", "out");
    expect_success(finished);
    EXPECT_EQ(count_of(finished.err, "decode: the transparency of PNG files is ignored"), 1U) << finished.err;
    expect_contains(finished.err, {"30x20) [in/a.png]"});
}

TEST_F(Predict, keeps_what_a_picture_says_of_its_colours) {
    const std::string profile = icc_profile("RGB ");
    write("in/jpeg.jpg", jpeg_of(make_picture(20, 30), {.profile = profile}));
    write("in/png.png", png_with_profile(make_picture(20, 30), profile));
    write("in/gamma.png", png_with_gamma(make_picture(20, 30), 1.0));
    write("in/hdr.png", png_with_code_points(make_picture(20, 30), std::string("\x09\x10\0\x01", 4)));
    write("in/plain.png", png_with_code_points(make_picture(20, 30), std::string("\x01\x0d\0\x01", 4)));
    write("in/none.jpg", jpeg_of(make_picture(20, 30)));
    write("in/srgb.png", png_of(make_picture(20, 30)));
    write("in/grey.png", png_with_profile(make_picture(20, 30, 1), icc_profile("GRAY")));
    const Finished finished = predict("in", "out");
    expect_success(finished);
    const auto result = [&](const std::string& name) { return read_bytes(folder() / "out" / (name + ".png")); };
    EXPECT_EQ(profile_of_png(result("jpeg")), profile);
    EXPECT_EQ(profile_of_png(result("png")), profile);
    EXPECT_EQ(profile_of_png(result("grey")), "");
    EXPECT_EQ(count_of(finished.err, "in/grey.png: its ICC profile does not fit the result"), 1U) << finished.err;
    EXPECT_NE(result("gamma").find("gAMA"), std::string::npos);
    EXPECT_NE(result("hdr").find(std::string("cICP\x09\x10\0\x01", 8)), std::string::npos);
    EXPECT_LT(result("hdr").find("cICP"), result("hdr").find("IDAT"));
    EXPECT_NE(result("plain").find(std::string("cICP\x01\x0d\0\x01", 8)), std::string::npos);
    EXPECT_EQ(count_of(finished.err, "chunk cICP"), 1U) << finished.err;
    expect_contains(finished.err, {"such as one of HDR, is not applied", "[in/hdr.png]"});
    for (const std::string name : {"jpeg", "png", "gamma", "none", "grey"}) {
        EXPECT_FALSE(is_tagged_srgb(result(name))) << name;
    }
    EXPECT_TRUE(is_tagged_srgb(result("srgb")));
}

// Returns the header of a PNG file that declares this size, without pixels.
std::string png_that_declares(std::uint32_t height, std::uint32_t width) {
    std::string bytes = png_of(make_picture(1, 1));
    for (int i = 0; i < 4; ++i) {
        bytes[16 + i] = static_cast<char>(width >> (24 - 8 * i));
        bytes[20 + i] = static_cast<char>(height >> (24 - 8 * i));
    }
    const uLong crc = ::crc32(0, reinterpret_cast<const Bytef*>(bytes.data()) + 12, 17);
    for (int i = 0; i < 4; ++i) {
        bytes[29 + i] = static_cast<char>(crc >> (24 - 8 * i));
    }
    return bytes;
}

TEST_F(Predict, refuses_a_huge_picture_before_memory_is_taken) {
    write("in/bomb.png", png_that_declares(10'000, 10'010));
    write("in/good.png", png_of(make_picture(20, 30)));
    const Finished refused = predict("in", "out");
    EXPECT_EQ(refused.exit, 3) << refused.err;
    expect_contains(refused.err, {"bomb.png", "10010x10000 are 100 megapixels", "--most-megapixels 101",
                                  "1 of 2 pictures could not be restored"});
    expect_size("out/good.png", 20, 30);
    EXPECT_LT(refused.peak_bytes, 250'000'000U);
    expect_contains(predict("in/bomb.png", "out", {"--most-megapixels", "101"}).err, {"damaged or cut off"});
    expect_refused(predict("in", "out", {"--most-megapixels", "0"}), 2, {"--most-megapixels is 0"});
}

TEST_F(Predict, says_once_that_16_bits_are_read_as_8) {
    write("in/a.png", png_of_16_bits(20, 30));
    write("in/b.png", png_of_16_bits(20, 30, 1));
    const Finished finished = predict("in", "out");
    expect_success(finished);
    EXPECT_EQ(count_of(finished.err, "decode: PNG files of 16 bits are reduced to 8 bits (first: field '"), 1U)
        << finished.err;
    std::filesystem::remove_all(folder() / "in");
    write("in/c.png", png_of(make_picture(20, 30)));
    EXPECT_EQ(predict("in", "out").err.find("16 bits"), std::string::npos);
}

// The usual result of a.jpg.jpeg would have the name that a.jpg gets because of a.png.
TEST_F(Predict, pictures_of_one_name_get_results_of_their_whole_names) {
    write("in/x/a.png", png_of(make_picture(20, 20)));
    write("in/x/a.jpg", jpeg_of(make_picture(30, 30)));
    write("in/x/a.jpg.jpeg", jpeg_of(make_picture(25, 25)));
    write("in/a.jpg", jpeg_of(make_picture(35, 35)));
    expect_success(predict("in", "out"));
    expect_size("out/x/a.png.png", 20, 20);
    expect_size("out/x/a.jpg.png", 30, 30);
    expect_size("out/x/a.jpg.jpeg.png", 25, 25);
    expect_size("out/a.png", 35, 35);
    EXPECT_FALSE(std::filesystem::exists(folder() / "out/x/a.png"));
}

TEST_F(Predict, a_picture_without_memory_for_it_does_not_stop_the_others) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers need much address space themselves";
#endif
    for (const std::string name : {"in/a.png", "in/c.png"}) {
        write(name, png_of(make_picture(20, 30)));
    }
    write("in/b.png", png_that_declares(16'000, 16'000));
    process_options().before_start = [] {
        const rlimit most{rlim_t{700} << 20, rlim_t{700} << 20};
        ::setrlimit(RLIMIT_AS, &most);
    };
    const Finished finished = predict("in", "out", {"--most-megapixels", "268"});
    EXPECT_EQ(finished.exit, 4) << finished.err;
    expect_contains(finished.err, {"E in/b.png: out of memory: cannot allocate a block of 732.4 MiB; the process has "
                                   "limits of ulimit -v",
                                   "1 of 3 pictures could not be restored"});
    expect_size("out/a.png", 20, 30);
    expect_size("out/c.png", 20, 30);
    expect_refused(predict("in/b.png", "out", {"--most-megapixels", "268"}), 4, {"in/b.png: out of memory"});
    write("in/d.png", "no picture");
    EXPECT_EQ(predict("in", "out", {"--most-megapixels", "268"}).exit, 3);
    std::filesystem::remove(folder() / "in/a.png");
    std::filesystem::remove(folder() / "in/c.png");
    write("in/d.png", png_that_declares(16'000, 16'001));
    EXPECT_EQ(predict("in", "out", {"--most-megapixels", "268"}).exit, 4);
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

// An evaluation runs the network on whole pictures, padded if it needs that, and compares its output with the files of
// predict. Rounding to 8 bits alone would give 58.9 dB.
TEST_F(Predict, gives_at_all_edges_what_the_network_gives_of_whole_pictures) {
    const std::vector<std::pair<int, int>> sizes{{64, 64}, {61, 50}, {33, 70}, {150, 131}, {20, 131}, {3, 5}};
    for (const auto& [height, width] : sizes) {
        write("in/" + std::to_string(height) + "x" + std::to_string(width) + ".png",
              png_of(make_picture(height, width)));
    }
    for (const std::string layers :
         {R"({ type = "conv2d", filters = 6, kernel = 7 }, { type = "conv2d", filters = 3, kernel = 7 },)",
          R"({ type = "conv2d", filters = 6, stride = 2 }, { type = "conv2d", filters = 6, stride = 2 },
             { type = "upsample", factor = 4 }, { type = "conv2d", filters = 3, kernel = 3 },)",
          R"({ type = "conv2d", filters = 6, kernel = 3, padding = "reflect" }, { type = "max_pool", kernel = 3 },
             { type = "conv2d_transpose", filters = 3, kernel = 3, stride = 3 },)"}) {
        write_tiny(
            {with_layers(layers), {"size = [32, 32]", "size = [36, 36]"}, {"size = [24, 32]", "size = [25, 31]"}});
        std::filesystem::remove_all(folder() / "run");
        std::filesystem::remove_all(folder() / "out");
        train("run", {"--steps", "1"});
        expect_success(predict("in", "out", {"--tile", "96", "--overlap", "48"}));
        expect_success(
            host({"evaluate", checkpoint(), "--csv", "scores.csv", "--set",
                  R"(data.validation.source={ use = "image_pairs", blurred = "in", sharp = "out", split = "all" })",
                  "--set", R"(data.validation.map=["decode"])"}));
        const std::vector<std::string> rows = lines_of(read_bytes(folder() / "scores.csv"));
        ASSERT_EQ(rows.size(), 1 + sizes.size());
        for (std::size_t i = 1; i < rows.size(); ++i) {
            EXPECT_GT(std::stod(rows[i].substr(rows[i].find("\",") + 2)), 55.0) << rows[i] << " with " << layers;
        }
    }
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
    write("web.jpg", std::string("RIFF\x10\0\0\0WEBPVP8 ", 16));
    expect_refused(predict("web.jpg", "out"), 3, {"web.jpg", "a WebP picture"});
    write("good.png", png_of(make_picture(20, 20)));
    expect_refused(predict("good.png", "tiny.toml/out"), 8, {"tiny.toml/out"});
    expect_refused(predict("good.png", "out", {"--tile", "8"}), 2, {"8", "at least 16"});
    expect_refused(predict("good.png", "out", {"--tile", "64", "--overlap", "40"}), 2, {"40", "half"});
}

}  // namespace
}  // namespace sluice::test
