// Options 'folds' and 'fold' of the sources that read files.
#include <algorithm>
#include <set>

#include "unit/datasets/source_test.hpp"

namespace sluice::data {
namespace {

class Folds : public SourceTest {
protected:
    static constexpr int kPictures = 22;

    void SetUp() override {
        SourceTest::SetUp();
        std::string text = "image,label\n";
        for (int i = 0; i < kPictures; ++i) {
            const std::string name = std::to_string(i) + ".png";
            text += name + ",1\n";
            write("sharp/" + name, "pixels");
            write("blurred/" + name, "pixels");
        }
        write("sharp/t.csv", text);
    }
    static std::set<std::string> names(const std::string& source) {
        std::set<std::string> all;
        for (const auto& [name, number] : samples(source)) {
            all.insert(name);
        }
        return all;
    }
    static std::string fold_of(const std::string& source, const std::string& split, int fold) {
        return source + ", split = \"" + split + "\", folds = 5, fold = " + std::to_string(fold);
    }

    const std::vector<std::string> sources_{R"(use = "photos", folder = "sharp")",
                                            R"(use = "csv_images", file = "sharp/t.csv")",
                                            R"(use = "image_pairs", blurred = "blurred", sharp = "sharp")",
                                            R"(use = "segmentation_pairs", images = "blurred", labels = "sharp")"};
};

TEST_F(Folds, are_disjoint_cover_everything_and_are_as_large_as_each_other) {
    for (const std::string& source : sources_) {
        const std::set<std::string> all = names(source);
        ASSERT_EQ(all.size(), std::size_t{kPictures});
        std::set<std::string> seen;
        for (int fold = 0; fold < 5; ++fold) {
            const std::set<std::string> validation = names(fold_of(source, "validation", fold));
            EXPECT_TRUE(validation.size() == 4 || validation.size() == 5) << validation.size();
            for (const std::string& name : validation) {
                EXPECT_TRUE(seen.insert(name).second) << name << " is in two folds of " << source;
            }
            std::set<std::string> rest;
            std::ranges::set_difference(all, validation, std::inserter(rest, rest.end()));
            EXPECT_EQ(names(fold_of(source, "train", fold)), rest);
        }
        EXPECT_EQ(seen, all);
    }
}

TEST_F(Folds, keep_scenes_together) {
    for (const char* scene : {"a", "b", "c", "d"}) {
        for (const char* frame : {"1.png", "2.png", "3.png"}) {
            write(std::string("root/") + scene + "/blur/" + frame, "pixels");
            write(std::string("root/") + scene + "/sharp/" + frame, "pixels");
        }
    }
    const std::string source = R"(use = "image_pairs", root = "root", split = "validation", folds = 2, fold = 1)";
    const std::vector<Made> made = samples(source);
    ASSERT_EQ(made.size(), 6U);
    for (std::size_t i = 0; i < made.size(); ++i) {  // names begin with "root/a/"
        EXPECT_EQ(made[i].first.substr(0, 6), made[i / 3 * 3].first.substr(0, 6));
    }
}

// A split must stay the same in all versions. Otherwise a model would be measured on pictures that it was trained on.
TEST_F(Folds, a_share_chooses_the_same_pictures_for_ever) {
    const std::vector<std::set<std::string>> chosen{
        {"0.png", "17.png", "3.png", "6.png"},
        {"0.png", "17.png", "3.png", "6.png"},
        {"10.png", "14.png", "18.png", "8.png"},  // chosen by the hash of a name without suffix
        {"10.png", "14.png", "18.png", "8.png"},
    };
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        std::set<std::string> found;
        for (const std::string& name : names(sources_[i] + R"(, split = "validation", validation_share = 0.2)")) {
            found.insert(name.substr(name.rfind('/') + 1));
        }
        EXPECT_EQ(found, chosen[i]) << sources_[i];
    }
}

TEST_F(Folds, that_do_not_fit_are_refused) {
    for (const std::string& source : sources_) {
        expect_contains(refusal(source + ", folds = 5"), {"2 ", "'folds' and 'fold' belong together"});
        expect_contains(refusal(source + ", fold = 0"), {"2 ", "'folds' and 'fold' belong together"});
        expect_contains(refusal(source + ", folds = 5, fold = 5"), {"2 ", "'fold' is 5", "the last is 4"});
        expect_contains(refusal(source + ", folds = 1, fold = 0"), {"2 ", "folds"});
        expect_contains(refusal(source + R"(, split = "validation", folds = 50, fold = 0)"),
                        {"2 ", "there are 22 and option 'folds' is 50"});
    }
    write("root/train/a/blur/1.png", "pixels");
    write("root/train/a/sharp/1.png", "pixels");
    std::filesystem::create_directories("root/test");
    expect_contains(refusal(R"(use = "image_pairs", root = "root", folds = 5, fold = 0)"),
                    {"2 ", "is already split by its folders"});
}

}  // namespace
}  // namespace sluice::data
