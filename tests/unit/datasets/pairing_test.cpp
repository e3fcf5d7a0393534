// Files in folders of pairs whose names do not match, and files that are no samples.
#include "unit/datasets/source_test.hpp"

namespace sluice::data {
namespace {

const std::string kMasks = R"(use = "segmentation_pairs", images = "images", labels = "labels")";
const std::string kBlurredPairs = R"(use = "image_pairs", blurred = "b", sharp = "s")";

class Pairing : public SourceTest {
protected:
    static void write_all(const std::vector<std::string>& files) {
        for (const std::string& file : files) {
            write(file, "pixels");
        }
    }
};

TEST_F(Pairing, of_names_with_an_addition_shows_it) {
    write_all({"images/0.jpg", "images/1.jpg", "images/10.jpg"});
    write_all({"labels/0_mask.png", "labels/1_mask.png", "labels/10_mask.png"});
    const std::string error = refusal(kMasks);
    expect_contains(error, {"3 ", "'images/0.jpg' has no twin 'labels/0' with suffix .png",
                            "'images/0.jpg' and 'labels/0_mask.png' differ, as 3 of 3 do", "rename the files",
                            "(and 5 more); every sample lacks a file"});
    EXPECT_EQ(error.find("missing_is_bad"), std::string::npos) << error;
    write_all({"b/0000x4.png", "b/0001x4.png", "s/0000.png", "s/0001.png"});
    expect_contains(refusal(kBlurredPairs), {"'b/0000x4.png' and 's/0000.png' differ, as 2 of 2 do"});
}

TEST_F(Pairing, of_names_with_another_part_shows_it) {
    write_all({"images/aachen_01_leftImg8bit.png", "images/aachen_02_leftImg8bit.png", "images/bonn_leftImg8bit.png"});
    write_all({"labels/aachen_01_gtFine_labelIds.png", "labels/aachen_02_gtFine_labelIds.png"});
    expect_contains(refusal(kMasks), {"'images/aachen_01_leftImg8bit.png' and 'labels/aachen_01_gtFine_labelIds.png' "
                                      "differ, as 2 of 3 do"});
    write_all({"b/img_1.png", "b/img_2.png", "s/gt_1.png", "s/gt_2.png"});
    expect_contains(refusal(kBlurredPairs), {"'b/img_1.png' and 's/gt_1.png' differ, as 2 of 2 do"});
}

TEST_F(Pairing, of_names_without_a_rule_shows_none) {
    write_all({"images/a.png", "images/cat.png", "labels/a.png", "labels/dog.png"});
    const std::string error = refusal(kMasks);
    expect_contains(error, {"'images/cat.png' has no twin", "(and 1 more)", "missing_is_bad = true"});
    EXPECT_EQ(error.find("differ"), std::string::npos) << error;
}

TEST_F(Pairing, of_names_that_look_the_same_says_how_they_differ) {
    write_all({"images/a.png", "labels/a.png"});
    write_all({"images/caf\xC3\xA9.png", "labels/cafe\xCC\x81.png"});
    expect_contains(refusal(kMasks), {"'labels/cafe\xCC\x81.png' has no twin",
                                      "; the name of 'images/caf\xC3\xA9.png' differs only in its Unicode form (NFC "
                                      "or NFD): rename one of the two"});
    std::filesystem::remove("images/caf\xC3\xA9.png");
    std::filesystem::remove("labels/cafe\xCC\x81.png");
    write_all({"images/B.png", "labels/b.png"});
    expect_contains(refusal(kMasks), {"; the name of 'labels/b.png' differs only in letter case"});
    write_all({"images/\xFF.png", "labels/\xFF.png"});  // the name is no UTF-8
    std::filesystem::remove("images/B.png");
    std::filesystem::remove("labels/b.png");
    EXPECT_EQ(samples(kMasks).size(), 2U);
}

// One folder name is written as macOS does, and one as Linux does.
TEST_F(Pairing, warns_of_folders_that_look_the_same) {
    const std::string composed = "caf\xC3\xA9";
    const std::string decomposed = "cafe\xCC\x81";
    write_all({"p/" + composed + "/a.png", "p/" + decomposed + "/b.png", "p/z/\xC3\xA9.png"});
    write_all({"images/" + composed + "/a.png", "labels/" + composed + "/a.png"});
    write_all({"images/" + decomposed + "/b.png", "labels/" + decomposed + "/b.png"});
    const std::string line = "the names '" + decomposed + "' and '" + composed +
                             "' differ only in their Unicode form (NFC or NFD); they are read as two";
    const CapturedLog log;
    EXPECT_EQ(samples(R"(use = "photos", folder = "p")").size(), 3U);
    expect_contains(log.take(), {" W ", line});
    EXPECT_EQ(samples(kMasks).size(), 2U);
    expect_contains(log.take(), {" W ", line});
    EXPECT_EQ(samples(R"(use = "photos", folder = "p/z")").size(), 1U);
    EXPECT_EQ(log.take().find("Unicode"), std::string::npos);
    expect_contains(refusal(R"(use = "photos", folder = "P/)" + composed + "\""),
                    {"2 ", "does not exist; the name of 'p/" + composed + "' differs only in letter case"});
    std::filesystem::remove_all("p/" + composed);
    expect_contains(refusal(R"(use = "photos", folder = "p/)" + composed + "\""),
                    {"2 ", "does not exist; the name of 'p/" + decomposed + "' differs only in its Unicode form"});
}

TEST_F(Pairing, reads_all_suffixes_of_jpeg) {
    write_all({"b/1.jpg", "b/2.JPEG", "b/3.jfif", "b/4.JPE", "s/1.png", "s/2.png", "s/3.png", "s/4.png"});
    EXPECT_EQ(samples(kBlurredPairs).size(), 4U);
}

TEST_F(Pairing, logs_once_what_it_passes_over) {
    write_all({"p/a.png", "p/x/b.webp", "p/x/a.webp", "p/notes.txt", "p/._a.png", "p/.thumbs/b.png", "p/README"});
    std::filesystem::create_symlink("gone.png", "p/x/link.png");
    std::filesystem::create_symlink("circle", "p/circle");
    std::filesystem::create_directory_symlink("..", "p/x/up");
    const std::string source = R"(use = "photos", folder = "p")";
    const CapturedLog log;
    EXPECT_EQ(samples(source).size(), 1U);
    EXPECT_EQ(samples(source).size(), 1U);
    const std::string text = log.take();
    const std::string line =
        "9 files are skipped: 2 .webp (such as 'p/x/a.webp'), 2 dangling link (such as 'p/circle'), 2 hidden "
        "(such as 'p/._a.png'), 1 .txt ('p/notes.txt'), 1 link to a folder that is read already ('p/x/up'), 1 without "
        "a suffix "
        "('p/README')";
    expect_contains(text, {line, " W "});
    EXPECT_EQ(text.find(line), text.rfind(line)) << text;
}

TEST_F(Pairing, warns_only_if_data_may_be_missing) {
    write_all({"q/a.png", "q/.DS_Store"});
    const CapturedLog log;
    EXPECT_EQ(samples(R"(use = "photos", folder = "q")").size(), 1U);
    expect_contains(log.take(), {" I ", "1 file is skipped: 1 hidden ('q/.DS_Store')"});
}

TEST_F(Pairing, names_folders_that_are_too_long) {
    expect_contains(refusal(R"(use = "photos", folder = ")" + std::string(300, 'a') + "\""),
                    {"2 ", "option 'folder': 'aaa", "' cannot be read: File name too long"});
}

}  // namespace
}  // namespace sluice::data
