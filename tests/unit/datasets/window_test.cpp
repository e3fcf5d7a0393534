// A crop right after `decode`, of which only the window is decoded. It must equal a crop after a cache, for which the
// whole picture is decoded.
#include "pictures.hpp"
#include "unit/datasets/source_test.hpp"

namespace sluice::data {
namespace {

using test::make_picture;

class Windows : public SourceTest {
protected:
    static std::string chain_of(const std::string& crop, const std::string& between) {
        return "source = { use = \"photos\", folder = \"p\" }\nmap = [{ use = \"decode\" }, " + between + "{ " + crop +
               " }, { use = \"random_flip\" }]";
    }

    static std::vector<std::uint8_t> pixels(Chain::Worker& worker, std::uint64_t epoch, std::uint64_t index) {
        return bytes_of(worker.make(epoch, index).fields.front());
    }

    static void expect_same_windows(const std::string& crop, int epochs) {
        const Chain pushed = make_chain(chain_of(crop, ""));
        const Chain whole = make_chain(chain_of(crop, "{ use = \"cache\" }, "));
        Chain::Worker of_pushed(pushed);
        Chain::Worker of_whole(whole);
        for (int epoch = 0; epoch < epochs; ++epoch) {
            for (std::uint64_t i = 0; i < pushed.length(); ++i) {
                const auto e = static_cast<std::uint64_t>(epoch);
                ASSERT_EQ(pixels(of_pushed, e, i), pixels(of_whole, e, i))
                    << of_whole.make(e, i).name << ", " << crop << ", epoch " << epoch;
            }
        }
    }

    static void expect_same_of(const std::string& name, const std::string& file) {
        std::filesystem::remove_all("p");
        write("p/" + name, file);
        expect_same_windows("use = \"random_crop\", size = [1, 1]", 40);
        expect_same_windows("use = \"random_crop\", size = [16, 24]", 40);
        expect_same_windows("use = \"random_crop\", size = [33, 41]", 40);
        expect_same_windows("use = \"center_crop\", size = [60, 61]", 1);
        expect_same_windows("use = \"center_crop\", size = [61, 83]", 1);
    }
};

TEST_F(Windows, of_jpeg_files_have_the_bytes_of_the_whole) {
    const test::Picture picture = make_picture(61, 83);
    for (const auto& [across, down] : {std::pair{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}}) {
        for (const bool progressive : {false, true}) {
            expect_same_of(std::to_string(across) + std::to_string(down) + (progressive ? "p" : "b") + ".jpg",
                           jpeg_of(picture, {.across = across, .down = down, .progressive = progressive}));
        }
    }
    expect_same_of("grey.jpg", jpeg_of(make_picture(61, 83, 1), {.across = 1, .down = 1}));
}

TEST_F(Windows, of_turned_pictures_have_the_bytes_of_the_whole) {
    for (int orientation = 2; orientation <= 8; ++orientation) {
        const bool is_on_its_side = orientation >= 5;
        expect_same_of(
            std::to_string(orientation) + ".jpg",
            jpeg_of(is_on_its_side ? make_picture(83, 61) : make_picture(61, 83), {.orientation = orientation}));
    }
}

TEST_F(Windows, of_png_files_have_the_bytes_of_the_whole) {
    expect_same_of("rgb.png", png_of(make_picture(61, 83)));
    expect_same_of("grey.png", png_of(make_picture(61, 83, 1)));
    expect_same_of("deep.png", test::png_of_16_bits(61, 83));
}

TEST_F(Windows, of_16_bits_are_scaled_to_8) {
    write("p/deep.png", test::png_of_16_bits(20, 30));  // each value is 0x1234 of 0xFFFF
    const Chain chain = make_chain(chain_of("use = \"random_crop\", size = [4, 4]", ""));
    Chain::Worker worker(chain);
    EXPECT_EQ(pixels(worker, 0, 0), std::vector<std::uint8_t>(48, 18));
}

// If only the window is decoded, damage below it is not noticed.
TEST_F(Windows, alone_are_decoded) {
    for (const std::string name : {"a.jpg", "a.png"}) {
        std::string file = name == "a.jpg" ? jpeg_of(make_picture(400, 400)) : png_of(make_picture(400, 400));
        for (std::size_t i = file.size() * 7 / 8; i + 40 < file.size(); ++i) {
            file[i] = static_cast<char>(0xFF);
        }
        std::filesystem::remove_all("p");
        write("p/" + name, file);
        const std::string crop = "use = \"center_crop\", size = [16, 16]";
        const Chain pushed = make_chain(chain_of(crop, ""));
        EXPECT_EQ(Chain::Worker(pushed).make(0, 0).fields.front().tensor.bytes.size(), 16U * 16U * 3U);
        const Chain whole = make_chain(chain_of(crop, "{ use = \"cache\" }, "));
        expect_contains(error_of([&] { Chain::Worker(whole).make(0, 0); }), {name, "damaged or cut off"});
    }
}

TEST_F(Windows, of_files_that_are_cut_off_are_refused) {
    for (const std::string name : {"a.jpg", "a.png"}) {
        const std::string file = name == "a.jpg" ? jpeg_of(make_picture(400, 400)) : png_of(make_picture(400, 400));
        std::filesystem::remove_all("p");
        write("p/" + name, file.substr(0, file.size() * 9 / 10));
        const Chain chain = make_chain(chain_of("use = \"center_crop\", size = [16, 16]", ""));
        expect_contains(error_of([&] { Chain::Worker(chain).make(0, 0); }), {name, "damaged or cut off"});
    }
}

TEST_F(Windows, larger_than_the_picture_are_refused_by_name) {
    write("p/small.jpg", jpeg_of(make_picture(20, 30)));
    const Chain chain = make_chain(chain_of("use = \"random_crop\", size = [24, 24]", ""));
    expect_contains(error_of([&] { Chain::Worker(chain).make(0, 0); }),
                    {"small.jpg", "random_crop", "the image is 30x20, smaller than the patch of 24x24"});
}

// The header claims 16000 x 16000 pixels. The decoder must not begin such a picture, with or without a crop after it.
TEST_F(Windows, of_pictures_that_are_too_large_are_named) {
    std::string file = jpeg_of(make_picture(64, 64), {.progressive = true});
    const std::size_t frame = file.find("\xFF\xC2");
    file.replace(frame + 5, 4, "\x3E\x80\x3E\x80");
    write("p/a.jpg", file);
    for (const std::string map : {"", ", { use = \"random_crop\", size = [16, 16] }"}) {
        config::StreamSpec spec =
            stream_spec("source = { use = \"photos\", folder = \"p\" }\nmap = [{ use = \"decode\" }" + map + "]");
        spec.sample_bytes = std::uint64_t{448} << 20;
        const Chain chain(spec, test_registry(), 7, "data.train");
        expect_contains(error_of([&] { Chain::Worker(chain).make(0, 0); }),
                        {"3 data.train: sample 0 (", "a.jpg): field 'sharp' would be ", "[16000, 16000, 3]",
                         "732.4 MiB", "data.memory leaves 224.0 MiB for it"});
    }
}

}  // namespace
}  // namespace sluice::data
