// Samples whose pictures do not all have the same EXIF orientation.
#include "pictures.hpp"
#include "unit/datasets/source_test.hpp"

namespace sluice::data {
namespace {

using test::jpeg_of;
using test::make_picture;
using test::png_of_numbers;

class Orientations : public SourceTest {
protected:
    static void write_labels(int height, int width, int orientation = 1) {
        const std::vector<std::uint8_t> ones(static_cast<std::size_t>(height * width), 1);
        write("labels/a.png", png_of_numbers({height, width, 1, ones}, {.orientation = orientation}));
    }
    // Returns the message about a sample that cannot be made. If `crop` is given, only its window is decoded.
    static std::string failure(const std::string& crop = "") {
        const Chain chain = make_chain(R"(source = { use = "segmentation_pairs", images = "images", labels = "labels" }
map = [{ use = "decode", label_maps = ["label"] })" +
                                       crop + "]");
        Chain::Worker worker(chain);
        return error_of([&] { worker.make(0, 0); });
    }
    const std::string crop_ = R"(, { use = "center_crop", size = [8, 8] })";
};

TEST_F(Orientations, that_do_not_fit_the_label_map_are_refused) {
    write("images/a.jpg", jpeg_of(make_picture(24, 32), {.orientation = 6}));
    write_labels(24, 32);
    for (const std::string& crop : {std::string(), crop_}) {
        expect_contains(failure(crop), {"3 ", "images/a.jpg with labels/a.png",
                                        "field 'image' (32x24) has the EXIF orientation 6, field 'label' (32x24) has "
                                        "no EXIF orientation: after turning, their sizes do not match"});
    }
    write_labels(24, 32, 8);  // both have the same size after turning
    EXPECT_EQ(failure(crop_), "nothing was thrown");
}

TEST_F(Orientations, that_fit_are_taken) {
    write("images/a.jpg", jpeg_of(make_picture(24, 32), {.orientation = 6}));
    write_labels(24, 32, 6);
    EXPECT_EQ(failure(), "nothing was thrown");
    write_labels(32, 24);  // these labels were made from the upright picture
    EXPECT_EQ(failure(), "nothing was thrown");
    EXPECT_EQ(failure(crop_), "nothing was thrown");
    write("images/a.jpg", jpeg_of(make_picture(24, 24), {.orientation = 2}));
    write_labels(24, 24);  // a square picture does not show the difference
    EXPECT_EQ(failure(), "nothing was thrown");
}

}  // namespace
}  // namespace sluice::data
