// Pairs of pictures in folders, as in published data sets: `host plan` prints how many a split has.
#include "pictures.hpp"
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class ImagePairs : public PipelineTest {
protected:
    void expect_samples(const std::string& source, int count) const {
        write_tiny({{R"(source = { use = "dead_leaves", count = 16, size = [32, 32] })", "source = " + source},
                    {R"(  { use = "motion_blur", from = "sharp", to = "blurred", length = 5, angle = 0 },
  {)",
                     R"(  { use = "decode" }, { use = "random_crop", size = [32, 32] }, {)"}});
        SCOPED_TRACE(source);
        expect_output({"plan", "tiny.toml"}, {"data        " + std::to_string(count) + " samples"});
    }
};

TEST_F(ImagePairs, scenes_are_not_torn_apart_by_a_split) {
    const std::string bytes = png_of(make_picture(40, 40));
    for (const char* scene : {"a", "b", "c", "d"}) {
        for (const char* frame : {"1.png", "2.PNG", "3.png"}) {
            write(std::string("root/scene ") + scene + "/blur/" + frame, bytes);
            write(std::string("root/scene ") + scene + "/sharp/" + frame, bytes);
        }
    }
    expect_samples(R"({ use = "image_pairs", root = "root", split = "all" })", 12);
    expect_samples(R"({ use = "image_pairs", root = "root", split = "train" })", 9);
    expect_samples(R"({ use = "image_pairs", root = "root", split = "validation" })", 3);
    expect_samples(R"({ use = "image_pairs", root = "root", split = "train", validation_share = 0.4 })", 6);
}

TEST_F(ImagePairs, two_folders_are_split_by_pair) {
    const std::string bytes = png_of(make_picture(40, 40));
    for (int i = 0; i < 8; ++i) {
        write("blur/deep/" + std::to_string(i) + ".png", bytes);
        write("sharp/deep/" + std::to_string(i) + ".JPG", jpeg_of(make_picture(40, 40)));
    }
    expect_samples(R"({ use = "image_pairs", blurred = "blur", sharp = "sharp", split = "train" })", 6);
    expect_samples(R"({ use = "image_pairs", blurred = "blur", sharp = "sharp", split = "validation" })", 2);
}

TEST_F(ImagePairs, of_one_folder_are_refused) {
    write("blur/0.png", png_of(make_picture(40, 40)));
    std::filesystem::create_directory_symlink("blur", folder() / "sharp");
    for (const char* sharp : {"blur", "blur/../blur", "sharp"}) {
        write_tiny({{R"(source = { use = "dead_leaves", count = 16, size = [32, 32] })",
                     R"(source = { use = "image_pairs", blurred = "blur", sharp = ")" + std::string(sharp) + "\" }"}});
        expect_refused(host({"plan", "tiny.toml"}), 2, {"options 'blurred' and 'sharp' are one folder, 'blur'"});
    }
}

}  // namespace
}  // namespace sluice::test
