// The source `csv_images`: pictures, their classes and its splits.
#include <algorithm>

#include "source_test.hpp"

namespace sluice::data {
namespace {

const std::string kSource = R"(use = "csv_images", file = "set/t.csv")";

class CsvImages : public SourceTest {
protected:
    // A picture for each cell of a label: 0.png, 1.png ...
    static void write_set(const std::vector<std::string>& labels) {
        std::string text = "image,label\n";
        for (std::size_t i = 0; i < labels.size(); ++i) {
            const std::string picture = std::to_string(i) + ".png";
            write("set/" + picture, "pixels of " + picture);
            text += picture + "," + labels[i] + "\n";
        }
        write("set/t.csv", text);
    }
    static std::vector<std::int64_t> numbers(const std::string& more = "") {
        std::vector<std::int64_t> all;
        for (const auto& [name, number] : samples(kSource + more)) {
            all.push_back(number);
        }
        return all;
    }
};

TEST_F(CsvImages, have_a_picture_and_a_class_number) {
    write_set({"cat", "dog"});
    const Chain chain = make_chain("source = { " + kSource + " }");
    const auto fields = chain.fields();
    ASSERT_EQ(fields.size(), 2U);
    EXPECT_EQ(fields[0].name, "image");
    EXPECT_EQ(fields[0].role, SLUICE_FIELD_ENCODED);
    EXPECT_EQ(fields[1].name, "label");
    EXPECT_EQ(fields[1].role, SLUICE_FIELD_CLASS);
    EXPECT_TRUE(fields[1].spec == make_spec(kInt64, {}));
    Chain::Worker worker(chain);
    const std::vector<std::uint8_t> bytes = bytes_of(worker.make(0, 1).fields[0]);
    EXPECT_EQ(std::string(bytes.begin(), bytes.end()), "pixels of 1.png");
    EXPECT_EQ(worker.make(0, 1).name, "set/1.png");
}

TEST_F(CsvImages, classes_are_numbered_in_sorted_order) {
    write_set({"tanker", "cargo", "cruise", "cargo"});
    EXPECT_EQ(numbers(), (std::vector<std::int64_t>{2, 0, 1, 0}));
    write_set({"10", "9", "-1", "9"});
    EXPECT_EQ(numbers(), (std::vector<std::int64_t>{2, 1, 0, 1}));
    write_set({"10", "9", "none"});  // words, by their bytes
    EXPECT_EQ(numbers(), (std::vector<std::int64_t>{0, 1, 2}));
    write_set({"1", "01"});
    EXPECT_EQ(numbers(), (std::vector<std::int64_t>{1, 0}));
}

TEST_F(CsvImages, an_order_that_was_given_decides) {
    write_set({"tanker", "cargo", "cargo"});
    EXPECT_EQ(numbers(R"(, classes = ["tanker", "ferry", "cargo"])"), (std::vector<std::int64_t>{0, 2, 2}));
    expect_contains(refusal(kSource + R"(, classes = ["tanker", "ferry"])"),
                    {"3 ", "set/t.csv:3: class 'cargo' is not in option 'classes'"});
    expect_contains(refusal(kSource + R"(, classes = ["cargo", "tanker", "cargo"])"), {"2 ", "'cargo' twice"});
}

// Classes of the whole file count, so a class that a split lacks shifts no other.
TEST_F(CsvImages, splits_agree_about_numbers_and_share_no_picture) {
    write_set({"a", "b", "c", "d", "e", "f", "g", "h"});
    const std::vector<Made> all = samples(kSource);
    std::vector<Made> parts = samples(kSource + R"(, split = "train")");
    EXPECT_EQ(parts.size(), 6U);
    for (const Made& made : samples(kSource + R"(, split = "validation")")) {
        parts.push_back(made);
    }
    std::sort(parts.begin(), parts.end());
    EXPECT_EQ(parts, all);
}

TEST_F(CsvImages, the_order_of_lines_does_not_matter) {
    write_set({"a", "b", "a", "b", "c", "c"});
    const std::string validation = kSource + R"(, split = "validation", folds = 2, fold = 1)";
    const std::vector<Made> before = samples(validation);
    write("set/t.csv", "image,label\n5.png,c\n3.png,b\n0.png,a\n4.png,c\n2.png,a\n1.png,b\n");
    EXPECT_EQ(samples(validation), before);
    EXPECT_EQ(before.size(), 3U);
}

TEST_F(CsvImages, a_limit_takes_the_first_by_path) {
    write_set({"a", "b", "c"});
    write("set/t.csv", "image,label\n2.png,c\n1.png,b\n0.png,a\n");
    EXPECT_EQ(samples(kSource + ", limit = 2"), (std::vector<Made>{{"set/0.png", 0}, {"set/1.png", 1}}));
}

TEST_F(CsvImages, pictures_may_lie_in_another_folder_and_below_it) {
    write("t.csv", "path,kind\nx/a.jpg,1\nb.jpg,2\n");
    write("other/x/a.jpg", "pixels");
    write("other/b.jpg", "pixels");
    EXPECT_EQ(samples(R"(use = "csv_images", file = "t.csv", folder = "other", image = "path", label = "kind")"),
              (std::vector<Made>{{"other/b.jpg", 1}, {"other/x/a.jpg", 0}}));
    expect_contains(
        refusal(R"(use = "csv_images", file = "t.csv", folder = "nowhere", image = "path", label = "kind")"),
        {"2 ", "option 'folder': 'nowhere' does not exist"});
}

TEST_F(CsvImages, a_line_without_its_picture_or_its_class_is_named) {
    write_set({"a", "b", "a"});
    std::filesystem::remove("set/1.png");
    expect_contains(refusal(kSource), {"3 ", "set/t.csv:3: there is no file 'set/1.png'"});
    write_set({"a", "b", ""});
    expect_contains(refusal(kSource), {"3 ", "set/t.csv:4: the cell of the class is empty"});
    write("set/t.csv", "image,label\n0.png,a\n,b\n");
    expect_contains(refusal(kSource), {"3 ", "set/t.csv:3: there is no file 'set/'"});
    write("set/t.csv", "image,label\n0.png,a\n1.png,b\n0.png,b\n");
    expect_contains(refusal(kSource), {"3 ", "set/t.csv:4: '0.png' stands in line 2 already"});
}

}  // namespace
}  // namespace sluice::data
