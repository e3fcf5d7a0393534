// Source `segmentation_pairs`: which picture belongs to which label picture.
#include "unit/datasets/source_test.hpp"

namespace sluice::data {
namespace {

const std::string kPairsSource = R"(use = "segmentation_pairs", images = "images", labels = "labels")";

class SegmentationPairs : public SourceTest {
protected:
    void SetUp() override {
        SourceTest::SetUp();
        write("images/a.JPG", "image a");
        write("labels/a.png", "label a");
        write("images/street/b.png", "image b");
        write("labels/street/b.png", "label b");
    }
};

TEST_F(SegmentationPairs, are_of_the_same_name_below_their_folders) {
    EXPECT_EQ(samples(kPairsSource), (std::vector<Made>{{"images/a.JPG with labels/a.png", 0},
                                                        {"images/street/b.png with labels/street/b.png", 0}}));
    const Chain chain = make_chain("source = { " + kPairsSource + " }");
    Chain::Worker worker(chain);
    const Sample& sample = worker.make(0, 1);
    ASSERT_EQ(sample.fields.size(), 2U);
    EXPECT_EQ(sample.fields[0].name, "image");
    EXPECT_EQ(bytes_of(sample.fields[0]), (std::vector<std::uint8_t>{'i', 'm', 'a', 'g', 'e', ' ', 'b'}));
    EXPECT_EQ(sample.fields[1].name, "label");
    EXPECT_EQ(bytes_of(sample.fields[1]), (std::vector<std::uint8_t>{'l', 'a', 'b', 'e', 'l', ' ', 'b'}));
    EXPECT_EQ(samples(kPairsSource + ", limit = 1").size(), 1U);
}

TEST_F(SegmentationPairs, without_one_of_the_two_are_refused) {
    write("images/c.png", "image c");
    expect_contains(refusal(kPairsSource), {"3 ", "'images/c.png' has no twin 'labels/c' with suffix .png"});
    write("labels/d.png", "label d");
    expect_contains(refusal(kPairsSource), {"'images/c.png' has no twin", "and 1 more"});
    std::filesystem::remove("images/c.png");
    expect_contains(refusal(kPairsSource),
                    {"3 ", "'labels/d.png' has no twin 'images/d' with suffix .jpg, .jpeg, .jpe, .jfif or .png"});
}

TEST_F(SegmentationPairs, without_one_of_the_two_may_count_as_bad_samples) {
    write("images/c.png", "image c");
    write("labels/d.png", "label d");
    expect_missing(kPairsSource, {1, 2}, "'images/c.png' has no twin 'labels/c' with suffix .png (and 1 more)");
    std::filesystem::remove("images/c.png");
    expect_missing(kPairsSource, {1},
                   "'labels/d.png' has no twin 'images/d' with suffix .jpg, .jpeg, .jpe, .jfif or .png");
}

TEST_F(SegmentationPairs, of_one_name_but_for_the_suffix_are_refused) {
    write("images/a.png", "image a");
    expect_contains(refusal(kPairsSource), {"2 ", "'images/a.JPG' and 'images/a.png' differ only in their suffix"});
}

TEST_F(SegmentationPairs, take_no_labels_but_png_files) {
    write("labels/a.jpg", "not a label");
    EXPECT_EQ(samples(kPairsSource).size(), 2U);
    std::filesystem::remove("labels/a.png");
    expect_contains(refusal(kPairsSource), {"3 ", "'images/a.JPG' has no twin 'labels/a' with suffix .png"});
    std::filesystem::remove("labels/street/b.png");
    expect_contains(refusal(kPairsSource), {"2 ", "option 'labels': no .png file in 'labels' or below it"});
}

TEST_F(SegmentationPairs, need_both_folders) {
    expect_contains(refusal(R"(use = "segmentation_pairs", images = "images")"), {"2 ", "'labels'"});
    expect_contains(refusal(R"(use = "segmentation_pairs", images = "images", labels = "label")"),
                    {"2 ", "option 'labels': 'label' does not exist"});
}

// A cache on disk that was filled from other files is not used.
TEST_F(SegmentationPairs, that_change_are_known_again) {
    const std::string cached =
        "source = { " + kPairsSource + " }\nmap = [{ use = \"cache\", in = \"disk\", folder = \"cache\" }]";
    const auto last_bytes = [&] {
        const Chain chain = make_chain(cached);
        Chain::Worker worker(chain);
        return bytes_of(worker.make(0, 0).fields.back());
    };
    const auto before = last_bytes();
    write("labels/a.png", "another label a");
    EXPECT_EQ(last_bytes().size(), before.size() + 8);
}

}  // namespace
}  // namespace sluice::data
