// Option `dct_scaling` of resize and random_resized_crop: files are decoded at a smaller size.
#include "pictures.hpp"
#include "unit/datasets/transforms/transform_test.hpp"
#include "unit/folder_test.hpp"

namespace sluice::data {
namespace {

class DctScaling : public FolderTest {
protected:
    // Compares results with and without dct_scaling. Their mean difference must be less than `most`.
    static void expect_similar(const std::string& last, double most, std::uint64_t epochs) {
        const Chain scaled = chain_of_files(last + ", dct_scaling = true");
        const Chain full = chain_of_files(last);
        for (std::uint64_t i = 0; i < scaled.length(); ++i) {
            for (std::uint64_t epoch = 0; epoch < epochs; ++epoch) {
                EXPECT_LT(mean_difference(made(scaled, "sharp", epoch, i), made(full, "sharp", epoch, i)), most)
                    << last << ", sample " << i << ", epoch " << epoch;
            }
        }
    }
    // Neither height nor width is a whole number of blocks.
    static void write_all_kinds() {
        const test::Picture picture = test::make_picture(203, 301);
        write("p/1.jpg", jpeg_of(picture));
        write("p/2.jpg", jpeg_of(picture, {.across = 1, .down = 1, .progressive = true}));
        write("p/3.jpg", jpeg_of(picture, {.across = 2, .down = 1}));  // libjpeg would shrink this one badly
        write("p/4.jpg", jpeg_of(test::make_picture(203, 301, 1), {.across = 1, .down = 1}));
        write("p/5.png", png_of(picture));
        for (int orientation = 2; orientation <= 8; ++orientation) {
            write("p/turned" + std::to_string(orientation) + ".jpg", jpeg_of(picture, {.orientation = orientation}));
        }
    }
};

TEST_F(DctScaling, gives_nearly_the_same_picture) {
    write_all_kinds();
    for (const std::string size : {"[100, 100]", "[50, 50]", "[25, 25]", "[10, 12]"}) {
        expect_similar("use = \"resize\", size = " + size, 2.0, 1);
    }
    expect_similar("use = \"resize\", short_edge = 20, method = \"area\"", 5.0,
                   1);  // edges of areas lie inside averaged pixels
}

TEST_F(DctScaling, gives_nearly_the_same_windows) {
    write_all_kinds();
    expect_similar("use = \"random_resized_crop\", size = [12, 12], area = [0.05, 1.0], ratio = [0.5, 2.0]", 4.0, 15);
    expect_similar("use = \"random_resized_crop\", size = [40, 30], area = [0.2, 1.0], method = \"bicubic\"", 4.0, 15);
}

TEST_F(DctScaling, reads_the_low_frequencies_of_jpeg_files_alone) {
    write("p/a.jpg", jpeg_of(test::make_picture(256, 256)));
    const std::string last = "use = \"resize\", size = [32, 32], method = \"area\"";
    const Image scaled = made(chain_of_files(last + ", dct_scaling = true"), "sharp");
    EXPECT_NE(scaled, made(chain_of_files(last), "sharp"));
    EXPECT_EQ(scaled, made(chain_of_files(last + ", dct_scaling = true"), "sharp"));
}

TEST_F(DctScaling, averages_files_that_are_no_jpeg) {
    const test::Picture picture = test::make_picture(32, 48);
    write("p/a.png", png_of(picture));
    const Image scaled = made(chain_of_files("use = \"resize\", size = [4, 6], dct_scaling = true"), "sharp");
    // The decoded pixels are means of 8 x 8. A triangle filter that does not shrink further keeps them.
    for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 6; ++x) {
            for (int c = 0; c < 3; ++c) {
                int sum = 0;
                for (int i = 0; i < 64; ++i) {
                    sum += picture.pixels[static_cast<std::size_t>(((8 * y + i / 8) * 48 + 8 * x + i % 8) * 3 + c)];
                }
                EXPECT_NEAR(scaled.at(y, x, c), sum / 64.0, 0.5 + 1e-3);
            }
        }
    }
}

TEST_F(DctScaling, changes_nothing_if_the_result_is_too_large_for_it) {
    write("p/a.jpg", jpeg_of(test::make_picture(60, 80)));
    for (const std::string last : {"use = \"resize\", size = [31, 20]", "use = \"resize\", size = [90, 90]",
                                   "use = \"resize\", size = [4, 4], method = \"nearest\""}) {
        EXPECT_EQ(made(chain_of_files(last + ", dct_scaling = true"), "sharp"), made(chain_of_files(last), "sharp"));
    }
}

TEST_F(DctScaling, is_refused_if_no_decode_comes_directly_before) {
    write("p/a.jpg", jpeg_of(test::make_picture(60, 80)));
    const std::string last = "use = \"resize\", size = [4, 4], dct_scaling = true";
    for (const std::string between : {"{ use = \"cache\" }, ", "{ use = \"random_flip\" }, "}) {
        expect_contains(
            error_of([&] { chain_of_files(last, between); }),
            {"2 test.toml:2", "resize", "'dct_scaling'", "'sharp'", "{ use = \"decode\" }", "right before"});
    }
    expect_contains(refusal(last), {"2 test.toml:2", "resize", "'dct_scaling'", "'first'"});
    expect_contains(refusal("use = \"random_resized_crop\", size = [4, 4], dct_scaling = true"),
                    {"random_resized_crop", "'dct_scaling'"});
}

// Classes have no mean, so no transform may ask for one.
TEST_F(DctScaling, is_not_offered_of_label_maps) {
    write("images/a.png", "pixels");
    write("labels/a.png", "numbers");
    const std::string chain = R"(source = { use = "segmentation_pairs", images = "images", labels = "labels" }
map = [{ use = "decode", label_maps = ["label"] }, { use = "test_told" }])";
    expect_contains(error_of([&] { Chain(stream_spec(chain), registry_with_pictures(), 7, "data.train"); }),
                    {"told 1 2"});
}

TEST_F(DctScaling, has_windows_of_a_column_at_least) {
    write("p/a.png", png_of(test::make_picture(20, 30)));
    const Chain chain(stream_spec(R"(source = { use = "photos", folder = "p" }
map = [{ use = "decode" }, { use = "test_no_columns" }])"),
                      registry_with_pictures(), 7, "data.train");
    expect_contains(error_of([&] { Chain::Worker(chain).make(0, 0); }),
                    {"6 ", "'test_no_columns'", "it reads 1 x 0 from (0, 0) on"});
}

}  // namespace
}  // namespace sluice::data
