// The option `fields`: an empty list, and a list that leaves some pictures of a sample where they are.
#include "unit/captured_log.hpp"
#include "unit/datasets/transforms/transform_test.hpp"
#include "unit/folder_test.hpp"

namespace sluice::data {
namespace {

class FieldChoice : public FolderTest {};

TEST_F(FieldChoice, that_is_empty_is_named) {
    for (const char* use : {R"(use = "random_crop", size = [4, 4])", R"(use = "random_flip")", R"(use = "cutout")"}) {
        expect_contains(refusal(use + std::string(", fields = []")),
                        {"2 test.toml:2",
                         "option 'fields' is empty, so there is no image; leave it out, or name some "
                         "of 'first' (an image), 'second' (an image), 'map' (a label map), "});
    }
    expect_contains(refusal(R"(use = "label_map", to = [0], fields = [])"), {"option 'fields' is empty, so there is no "
                                                                             "class number and no label map"});
}

TEST_F(FieldChoice, that_moves_some_pictures_and_leaves_others_is_reported) {
    const CapturedLog log;
    const auto log_of = [&](const std::string& map) {
        chain_of(map);
        return log.take();
    };
    for (const char* use : {R"(use = "random_crop", size = [4, 4])", R"(use = "random_flip")", R"(use = "rotate90")",
                            R"(use = "random_resized_crop", size = [4, 4])"}) {
        const std::string some = log_of(use + std::string(R"(, fields = ["second"])"));
        const std::string name = std::string(use).substr(7, std::string(use).find('"', 7) - 7);
        expect_contains(some, {name + ": moves the pixels of 'second' at random but not those of 'first', 'map', "});
        EXPECT_EQ(some.find("at random"), some.rfind("at random")) << some;
        EXPECT_EQ(log_of(use), "");
        EXPECT_EQ(log_of(use + std::string(R"(, fields = ["map", "second", "first"])")), "");
    }
    EXPECT_EQ(log_of(R"(use = "center_crop", size = [4, 4], fields = ["second"])"), "");
    EXPECT_EQ(log_of(R"(use = "gaussian_noise", fields = ["second"])"), "");
}

}  // namespace
}  // namespace sluice::data
