// Transform `decode` with option `label_maps`: PNG files that hold the class of each pixel.
#include <algorithm>
#include <cstdlib>

#include "pictures.hpp"
#include "unit/datasets/source_test.hpp"

namespace sluice::data {
namespace {

using test::make_picture;
using test::NumbersKind;
using test::Picture;
using test::png_of_numbers;

const std::string kDecode = R"({ use = "decode", label_maps = ["label"] })";

class LabelMaps : public SourceTest {
protected:
    // Returns a label map with all numbers below 2^bits, each at many places.
    static Picture numbers(int bits) {
        Picture picture{61, 83, 1, {}};
        for (int i = 0; i < picture.height * picture.width; ++i) {
            picture.pixels.push_back(static_cast<std::uint8_t>((i / 7 + i / 83 * 3) % (1 << bits)));
        }
        return picture;
    }

    static std::vector<NumbersKind> all_kinds() {
        std::vector<NumbersKind> kinds;
        for (const int bits : {1, 2, 4, 8}) {
            for (const bool palette : {false, true}) {
                for (const bool interlaced : {false, true}) {
                    kinds.push_back({.bits = bits, .palette = palette, .interlaced = interlaced});
                }
            }
        }
        return kinds;
    }

    static std::string text_of(const NumbersKind& kind) {
        return std::to_string(kind.bits) + " bits" + (kind.palette ? ", palette" : ", grey") +
               (kind.interlaced ? ", interlaced" : "") + ", orientation " + std::to_string(kind.orientation);
    }

    static std::string chain_text(const std::string& map, const std::string& images = "images",
                                  const std::string& labels = "labels") {
        return R"(source = { use = "segmentation_pairs", images = ")" + images + R"(", labels = ")" + labels +
               "\" }\nmap = [" + map + "]";
    }

    static void write_pair(const std::string& label, const Picture& image = make_picture(61, 83)) {
        write("images/a.png", png_of(image));
        write("labels/a.png", label);
    }

    // Compares every field of every sample: neither a cache nor a crop that is pushed below the decode may change it.
    static void expect_same_windows(const std::string& map, const std::string& what) {
        const Chain pushed = make_chain(chain_text(kDecode + ", " + map));
        const Chain whole = make_chain(chain_text(kDecode + R"(, { use = "cache" }, )" + map));
        Chain::Worker of_pushed(pushed);
        Chain::Worker of_whole(whole);
        for (std::uint64_t epoch = 0; epoch < 8; ++epoch) {
            const Sample& expected = of_whole.make(epoch, 0);
            const Sample& found = of_pushed.make(epoch, 0);
            for (std::size_t i = 0; i < expected.fields.size(); ++i) {
                ASSERT_EQ(to_string(found.fields[i].tensor.spec), to_string(expected.fields[i].tensor.spec)) << what;
                ASSERT_EQ(bytes_of(found.fields[i]), bytes_of(expected.fields[i])) << what << ", " << map;
            }
        }
    }

    // Expects of an image that is its own label map that both still show the same.
    static void expect_moved_together(const Chain& chain) {
        Chain::Worker worker(chain);
        for (std::uint64_t i = 0; i < chain.length(); ++i) {
            const Sample& sample = worker.make(3, i);
            const std::vector<std::uint8_t> image = bytes_of(sample.fields[0]);
            const std::vector<std::uint8_t> label = bytes_of(sample.fields[1]);
            ASSERT_EQ(image.size(), label.size() * 3) << sample.name;
            for (std::size_t at = 0; at < label.size(); ++at) {
                ASSERT_EQ(image[at * 3], label[at]) << sample.name << ", pixel " << at;
            }
        }
    }
};

TEST_F(LabelMaps, hold_the_numbers_of_the_file) {
    for (const NumbersKind& kind : all_kinds()) {
        const Picture expected = numbers(kind.bits);
        write_pair(png_of_numbers(expected, kind));
        const Chain chain = make_chain(chain_text(kDecode));
        ASSERT_EQ(chain.fields()[1].role, SLUICE_FIELD_LABEL_MAP);
        ASSERT_EQ(chain.fields()[0].role, SLUICE_FIELD_IMAGE);
        Chain::Worker worker(chain);
        const SampleField& label = worker.make(0, 0).fields[1];
        EXPECT_EQ(to_string(label.tensor.spec), "[61, 83] uint8");
        EXPECT_EQ(bytes_of(label), expected.pixels) << text_of(kind);
    }
}

TEST_F(LabelMaps, are_of_files_that_hold_numbers) {
    const auto expect_refused = [](const std::string& file, const std::string& what) {
        write_pair(file);
        const Chain chain = make_chain(chain_text(kDecode));
        expect_contains(error_of([&] { Chain::Worker(chain).make(0, 0); }),
                        {"3 ", "images/a.png with labels/a.png", "field 'label'", what,
                         "a label map is a PNG file of grey, of at most 8 bits, or with a palette"});
    };
    expect_refused(jpeg_of(make_picture(61, 83, 1)), "a JPEG file, whose pixels are not exact");
    expect_refused(png_of(make_picture(61, 83)),
                   "a PNG file of colours (RGB), 8 bits, whose channels differ: the pixel in row 0, column");
    expect_refused(png_of(make_picture(61, 83, 4)), "a PNG file of colours with transparency (RGBA), 8 bits, whose");
    expect_refused(test::png_of_16_bits(61, 83, 1), "a PNG file of grey, 16 bits");
    expect_refused("dear diary", "not a PNG file but text that begins with 'dear diary'");
}

// Some tools write label maps like this.
TEST_F(LabelMaps, of_rgb_with_equal_channels_are_read_as_grey) {
    const Picture grey = numbers(8);
    Picture rgb{grey.height, grey.width, 3, {}};
    for (const std::uint8_t number : grey.pixels) {
        rgb.pixels.insert(rgb.pixels.end(), 3, number);
    }
    write_pair(png_of(rgb));
    const Chain chain = make_chain(chain_text(kDecode));
    EXPECT_EQ(bytes_of(Chain::Worker(chain).make(0, 0).fields[1]), grey.pixels);
    expect_same_windows(R"({ use = "random_crop", size = [16, 24] })", "equal channels");
    ++rgb.pixels[3 * (83 * 2 + 4) + 1];
    write_pair(png_of(rgb));
    expect_contains(error_of([&] { Chain::Worker(make_chain(chain_text(kDecode))).make(0, 0); }),
                    {"3 ", "labels/a.png", "the pixel in row 2, column 4 is "});
}

TEST_F(LabelMaps, with_transparency_are_read_without_it) {
    const Picture grey = numbers(8);
    for (const int channels : {2, 4}) {
        Picture seen_through{grey.height, grey.width, channels, {}};
        for (std::size_t i = 0; i < grey.pixels.size(); ++i) {
            seen_through.pixels.insert(seen_through.pixels.end(), static_cast<std::size_t>(channels) - 1,
                                       grey.pixels[i]);
            seen_through.pixels.push_back(static_cast<std::uint8_t>(i % 251));
        }
        write_pair(png_of(seen_through));
        const Chain chain = make_chain(chain_text(kDecode));
        EXPECT_EQ(bytes_of(Chain::Worker(chain).make(0, 0).fields[1]), grey.pixels) << channels << " channels";
        expect_same_windows(R"({ use = "random_crop", size = [16, 24] })", std::to_string(channels) + " channels");
    }
}

// The file is refused whichever window is read first, whether or not it shows the only coloured pixel.
TEST_F(LabelMaps, of_colours_are_refused_in_all_windows) {
    Picture rgb = make_picture(61, 83, 3);
    std::fill(rgb.pixels.begin(), rgb.pixels.end(), std::uint8_t{7});
    rgb.pixels.back() = 8;
    const std::string crop = kDecode + R"(, { use = "random_crop", size = [16, 24] })";
    write_pair(png_of(rgb));
    const Chain chain = make_chain(chain_text(crop));
    Chain::Worker worker(chain);
    for (std::uint64_t epoch = 0; epoch < 4; ++epoch) {
        expect_contains(error_of([&] { worker.make(epoch, 0); }),
                        {"3 ", "labels/a.png", "the pixel in row 60, column 82 is 7, 7, 8"});
    }
}

TEST_F(LabelMaps, that_are_damaged_are_refused) {
    const std::string file = png_of_numbers(numbers(8));
    write_pair(file.substr(0, file.size() / 2));
    const Chain chain = make_chain(chain_text(kDecode));
    expect_contains(error_of([&] { Chain::Worker(chain).make(0, 0); }),
                    {"3 ", "labels/a.png", "field 'label'", "damaged or cut off"});
}

TEST_F(LabelMaps, are_fields_that_are_decoded) {
    write_pair(png_of_numbers(numbers(8)));
    expect_contains(error_of([] { make_chain(chain_text(R"({ use = "decode", label_maps = ["labels"] })")); }),
                    {"2 ", "'labels' is not a field that is decoded here"});
    expect_contains(
        error_of([] { make_chain(chain_text(R"({ use = "decode", fields = ["image"], label_maps = ["label"] })")); }),
        {"2 ", "'label' is not a field that is decoded here"});
}

TEST_F(LabelMaps, are_cut_out_as_their_windows_alone_are_decoded) {
    for (const NumbersKind& kind : all_kinds()) {
        write_pair(png_of_numbers(numbers(kind.bits), kind));
        expect_same_windows(R"({ use = "random_crop", size = [16, 24] }, { use = "random_flip" })", text_of(kind));
    }
}

// The decoder shrinks images by averaging, but classes have no average.
TEST_F(LabelMaps, are_never_blended) {
    const NumbersKind kind{.palette = true};
    write_pair(png_of_numbers(numbers(8), kind));
    write("images/a.png", jpeg_of(make_picture(61, 83)));
    expect_same_windows(R"({ use = "resize", size = [11, 13] })", "resize");
    const Chain plain = make_chain(chain_text(kDecode + R"(, { use = "resize", size = [11, 13] })"));
    const Chain shrunk =
        make_chain(chain_text(kDecode + R"(, { use = "resize", size = [11, 13], dct_scaling = true })"));
    Chain::Worker of_plain(plain);
    Chain::Worker of_shrunk(shrunk);
    const Sample& expected = of_plain.make(0, 0);
    const Sample& found = of_shrunk.make(0, 0);
    EXPECT_NE(bytes_of(found.fields[0]), bytes_of(expected.fields[0]));
    EXPECT_EQ(bytes_of(found.fields[1]), bytes_of(expected.fields[1]));
}

TEST_F(LabelMaps, are_turned_and_cut_out_with_their_pictures) {
    for (int orientation = 1; orientation <= 8; ++orientation) {
        const NumbersKind kind{.orientation = orientation};
        const std::string file = png_of_numbers(numbers(8), kind);
        write("images/a.png", file);
        write("labels/a.png", file);
        expect_moved_together(make_chain(chain_text(kDecode)));
        expect_moved_together(make_chain(chain_text(
            kDecode + R"(, { use = "random_crop", size = [40, 50] }, { use = "random_flip" }, { use = "rotate90" })")));
        expect_same_windows(R"({ use = "random_crop", size = [40, 50] })", text_of(kind));
    }
}

// Street scenes of 480x360 of classes 0 to 11, in $SLUICE_TEST_DATA/camvid.
class StreetScenes : public LabelMaps {
protected:
    void SetUp() override {
        LabelMaps::SetUp();
        const char* const data = std::getenv("SLUICE_TEST_DATA");
        folder_ = std::filesystem::path(data == nullptr ? "" : data) / "camvid";
        if (data == nullptr || !std::filesystem::is_directory(folder_)) {
            GTEST_SKIP() << "SLUICE_TEST_DATA names no folder that holds camvid/";
        }
    }
    std::filesystem::path folder_;
};

TEST_F(StreetScenes, keep_their_classes_through_all_that_moves_pixels) {
    const std::string map = kDecode + R"(, { use = "random_resized_crop", size = [45, 60] }, { use = "random_flip" },
  { use = "pad", borders = [3], label_value = 11 }, { use = "rotate90", turns = [0, 2] })";
    const Chain chain = make_chain(chain_text(map, folder_ / "images", folder_ / "labels"));
    ASSERT_EQ(chain.length(), 60U);
    Chain::Worker worker(chain);
    std::vector<int> seen(256);
    for (std::uint64_t i = 0; i < chain.length(); ++i) {
        const Sample& sample = worker.make(0, i);
        EXPECT_EQ(to_string(sample.fields[0].tensor.spec), "[51, 66, 3] uint8");
        for (const std::uint8_t number : bytes_of(sample.fields[1])) {
            ++seen[number];
        }
    }
    for (int number = 0; number < 256; ++number) {
        EXPECT_EQ(seen[static_cast<std::size_t>(number)] > 0, number <= 11) << number;
    }
}

TEST_F(StreetScenes, are_cropped_flipped_and_padded_with_their_pictures) {
    const std::string map = R"(, { use = "random_crop", size = [200, 300] }, { use = "random_flip" },
  { use = "pad", borders = [8], label_value = 0 })";
    expect_moved_together(make_chain(chain_text(kDecode + map, folder_ / "labels", folder_ / "labels")));
}

}  // namespace
}  // namespace sluice::data
