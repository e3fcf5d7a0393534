// Transform `decode` with type = "float32": images that keep the 16 bits of PNG files.
#include <cmath>

#include "pictures.hpp"
#include "unit/datasets/source_test.hpp"

namespace sluice::data {
namespace {

using test::DeepPicture;
using test::make_picture;

const std::string kDeep = R"({ use = "decode", type = "float32" })";
const std::string kShallow = R"({ use = "decode" })";

DeepPicture deep_picture(int height, int width, int channels = 3) {
    DeepPicture picture{height, width, channels, {}};
    for (int i = 0; i < height * width * channels; ++i) {
        picture.values.push_back(static_cast<std::uint16_t>(i == 0 ? 0x1234 : i * 7919 + i / 251));
    }
    return picture;
}

class DeepImages : public SourceTest {
protected:
    static std::string chain_of(const std::string& map) {
        return "source = { use = \"photos\", folder = \"p\" }\nmap = [" + map + "]";
    }

    static void write_alone(const std::string& name, const std::string& file) {
        std::filesystem::remove_all("p");
        write("p/" + name, file);
    }

    static std::vector<float> values(Chain::Worker& worker, std::uint64_t epoch = 0) {
        const std::span<const float> all = worker.make(epoch, 0).fields.front().tensor.as<float>();
        return {all.begin(), all.end()};
    }

    // Expects the same of `map` after both decodes: 8-bit values are float32 values times 255, up to `rounding`.
    static void expect_same_as_of_8_bits(const std::string& map, double rounding = 0.0) {
        const Chain deep = make_chain(chain_of(kDeep + ", " + map));
        const Chain shallow = make_chain(chain_of(kShallow + ", " + map));
        Chain::Worker of_deep(deep);
        Chain::Worker of_shallow(shallow);
        for (std::uint64_t epoch = 0; epoch < 12; ++epoch) {
            const std::vector<std::uint8_t> bytes = bytes_of(of_shallow.make(epoch, 0).fields.front());
            const std::vector<float> found = values(of_deep, epoch);
            ASSERT_EQ(found.size(), bytes.size()) << map;
            for (std::size_t i = 0; i < bytes.size(); ++i) {
                if (rounding == 0.0) {
                    ASSERT_EQ(found[i], static_cast<float>(bytes[i]) / 255.0F) << map << ", value " << i;
                } else {
                    ASSERT_NEAR(static_cast<double>(found[i]) * 255.0, bytes[i], rounding) << map << ", value " << i;
                }
            }
        }
    }

    // Compares a crop that is pushed below the decode with a crop of the whole picture.
    static void expect_same_windows(const std::string& name, const std::string& file) {
        write_alone(name, file);
        for (const std::string size : {"[1, 1]", "[16, 24]", "[33, 41]", "[61, 83]"}) {
            const std::string crop = R"({ use = "random_crop", size = )" + size + " }";
            const Chain pushed = make_chain(chain_of(kDeep + ", " + crop));
            const Chain whole = make_chain(chain_of(kDeep + R"(, { use = "cache" }, )" + crop));
            Chain::Worker of_pushed(pushed);
            Chain::Worker of_whole(whole);
            for (std::uint64_t epoch = 0; epoch < 10; ++epoch) {
                ASSERT_EQ(values(of_pushed, epoch), values(of_whole, epoch)) << name << ", " << size;
            }
        }
    }
};

TEST_F(DeepImages, hold_each_value_of_the_file) {
    for (const int channels : {1, 3}) {
        for (const bool interlaced : {false, true}) {
            const DeepPicture picture = deep_picture(61, 83, channels);
            write_alone("a.png", png_of(picture, interlaced));
            const Chain chain = make_chain(chain_of(kDeep));
            EXPECT_EQ(chain.fields()[0].role, SLUICE_FIELD_TENSOR);
            Chain::Worker worker(chain);
            EXPECT_EQ(to_string(worker.make(0, 0).fields[0].tensor.spec), "[61, 83, 3] float32");
            const std::vector<float> found = values(worker);
            EXPECT_EQ(found[0], 4660.0F / 65535.0F);  // 0x1234
            for (std::size_t i = 0; i < found.size(); ++i) {
                const std::size_t at = channels == 3 ? i : i / 3;
                ASSERT_EQ(found[i], static_cast<float>(picture.values[at]) / 65535.0F) << channels << ", " << i;
            }
        }
    }
}

TEST_F(DeepImages, of_8_bits_have_the_same_range) {
    for (const auto& [name, file] : {std::pair<std::string, std::string>{"a.png", png_of(make_picture(61, 83))},
                                     {"grey.png", png_of(make_picture(61, 83, 1))},
                                     {"a.jpg", jpeg_of(make_picture(61, 83))},
                                     {"turned.jpg", jpeg_of(make_picture(83, 61), {.orientation = 6})}}) {
        write_alone(name, file);
        expect_same_as_of_8_bits(R"({ use = "center_crop", size = [61, 83] })");
        expect_same_as_of_8_bits(R"({ use = "random_flip" })");
    }
}

TEST_F(DeepImages, come_in_windows_as_the_whole) {
    expect_same_windows("deep.png", png_of(deep_picture(61, 83)));
    expect_same_windows("interlaced.png", png_of(deep_picture(61, 83), true));
    expect_same_windows("grey.png", png_of(deep_picture(61, 83, 1)));
    expect_same_windows("a.jpg", jpeg_of(make_picture(61, 83)));
    expect_same_windows("turned.jpg", jpeg_of(make_picture(83, 61), {.orientation = 8}));
}

// Damage below the window is not noticed.
TEST_F(DeepImages, are_decoded_only_as_far_as_the_window) {
    std::string file = png_of(deep_picture(400, 400));
    for (std::size_t i = file.size() * 7 / 8; i + 40 < file.size(); ++i) {
        file[i] = static_cast<char>(0xFF);
    }
    write_alone("a.png", file);
    const std::string crop = R"({ use = "center_crop", size = [16, 16] })";
    const Chain pushed = make_chain(chain_of(kDeep + ", " + crop));
    Chain::Worker worker(pushed);
    EXPECT_EQ(values(worker).size(), 16U * 16U * 3U);
    const Chain whole = make_chain(chain_of(kDeep + R"(, { use = "cache" }, )" + crop));
    expect_contains(error_of([&] { Chain::Worker(whole).make(0, 0); }), {"a.png", "damaged or cut off"});
}

TEST_F(DeepImages, are_moved_and_scaled_as_those_of_8_bits) {
    write_alone("a.png", png_of(make_picture(61, 83)));
    for (const std::string map :
         {R"({ use = "random_crop", size = [20, 30] }, { use = "random_flip", vertical = true })",
          R"({ use = "rotate90" })", R"({ use = "pad", borders = [1, 2, 3, 4], value = 128 })",
          R"({ use = "pad", at_least = [90, 100], mode = "edge" })",
          R"({ use = "pad", borders = [9], mode = "reflect" })", R"({ use = "cutout", holes = 3, value = 77 })",
          R"({ use = "resize", size = [20, 99], method = "nearest" })",
          R"({ use = "random_resized_crop", size = [30, 30], method = "nearest" })"}) {
        expect_same_as_of_8_bits(map);
    }
    for (const std::string method : {"area", "bilinear", "bicubic"}) {
        expect_same_as_of_8_bits(R"({ use = "resize", size = [20, 99], method = ")" + method + "\" }", 0.501);
        expect_same_as_of_8_bits(R"({ use = "random_resized_crop", size = [30, 30], method = ")" + method + "\" }",
                                 0.501);
    }
}

TEST_F(DeepImages, get_holes_of_noise_from_0_to_1) {
    write_alone("a.png", png_of(make_picture(61, 83)));
    const Chain chain = make_chain(chain_of(kDeep + R"(, { use = "cutout", size = [500, 500], fill = "noise" })"));
    Chain::Worker worker(chain);
    double sum = 0.0;
    const std::vector<float> found = values(worker);
    for (const float value : found) {
        ASSERT_TRUE(value >= 0.0F && value <= 1.0F);
        sum += static_cast<double>(value);
    }
    EXPECT_NEAR(sum / static_cast<double>(found.size()), 0.5, 0.05);
}

TEST_F(DeepImages, move_with_their_label_maps) {
    DeepPicture image{61, 83, 1, {}};
    test::Picture label{61, 83, 1, {}};
    for (int i = 0; i < 61 * 83; ++i) {
        label.pixels.push_back(static_cast<std::uint8_t>(i * 31 % 251));
        image.values.push_back(static_cast<std::uint16_t>(label.pixels.back() * 257));
    }
    write("images/a.png", png_of(image));
    write("labels/a.png", png_of_numbers(label));
    const Chain chain = make_chain(
        R"(source = { use = "segmentation_pairs", images = "images", labels = "labels" }
map = [{ use = "decode", type = "float32", label_maps = ["label"] }, { use = "random_crop", size = [30, 30] },
       { use = "random_flip" }, { use = "rotate90" }])");
    Chain::Worker worker(chain);
    for (std::uint64_t epoch = 0; epoch < 8; ++epoch) {
        const Sample& sample = worker.make(epoch, 0);
        const std::span<const float> found = sample.fields[0].tensor.as<float>();
        const std::vector<std::uint8_t> classes = bytes_of(sample.fields[1]);
        ASSERT_EQ(found.size(), classes.size() * 3);
        for (std::size_t i = 0; i < classes.size(); ++i) {
            ASSERT_EQ(found[i * 3], static_cast<float>(classes[i]) / 255.0F);
        }
    }
}

// `cutmix` copies values to the last bit, but sums of `mixup` are rounded.
TEST_F(DeepImages, are_mixed_as_those_of_8_bits) {
    for (int i = 0; i < 4; ++i) {
        write("p/" + std::to_string(i) + ".png", png_of(make_picture(20, 30, 3, i)));
    }
    for (const auto& [name, rounding] : {std::pair{"cutmix", 1e-9}, {"mixup", 0.501}}) {
        const std::string mixing = std::string(", { use = \"") + name + "\", alpha = 1 }";
        const Chain deep = make_chain(chain_of(kDeep + mixing));
        const Chain shallow = make_chain(chain_of(kShallow + mixing));
        Loader of_deep(deep, {.batch = 4, .fields = {"sharp"}});
        Loader of_shallow(shallow, {.batch = 4, .fields = {"sharp"}});
        for (int epoch = 0; epoch < 8; ++epoch) {
            const std::span<const float> found = of_deep.next().fields[0].tensor.as<float>();
            const std::span<const std::uint8_t> bytes = of_shallow.next().fields[0].tensor.bytes;
            ASSERT_EQ(found.size(), bytes.size());
            for (std::size_t i = 0; i < bytes.size(); ++i) {
                const double expected = rounding < 0.1
                                            ? static_cast<double>(static_cast<float>(bytes[i]) / 255.0F) * 255
                                            : static_cast<double>(bytes[i]);
                ASSERT_NEAR(static_cast<double>(found[i]) * 255.0, expected, rounding) << name << ", value " << i;
            }
        }
    }
}

TEST_F(DeepImages, are_refused_by_what_takes_8_bits) {
    write_alone("a.png", png_of(deep_picture(61, 83)));
    const auto refused = [](const std::string& transform, std::initializer_list<std::string_view> parts) {
        expect_contains(error_of([&] { make_chain(chain_of(kDeep + ", " + transform)); }), parts);
    };
    refused(R"({ use = "gaussian_blur" })",
            {"2 ", "there is no image of uint8 among the fields 'sharp' (an image of float32)"});
    refused(R"({ use = "color_jitter", fields = ["sharp"] })",
            {"2 ", "field 'sharp' is an image of float32, but an image of uint8 is needed"});
    refused(R"({ use = "motion_blur" })",
            {"2 ", "field 'sharp' is an image of float32, but an image of uint8 is needed"});
    refused(R"({ use = "resize", size = [8, 8], dct_scaling = true })",
            {"2 ", "option 'dct_scaling' makes images of 8 bits, but field 'sharp' is "});
}

}  // namespace
}  // namespace sluice::data
