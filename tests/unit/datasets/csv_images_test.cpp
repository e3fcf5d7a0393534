// The source `csv_images`: pictures, their classes and its splits.
#include <algorithm>
#include <array>
#include <set>

#include "pictures.hpp"
#include "unit/datasets/source_test.hpp"

namespace sluice::data {
namespace {

const std::string kSource = R"(use = "csv_images", file = "set/t.csv")";

class CsvImages : public SourceTest {
protected:
    // Writes a table with a picture for each label: 0.png, 1.png ...
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
    write_set({"10", "9", "none"});  // words are sorted by their bytes
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

// Classes are numbered over the whole file, so a class that a split lacks shifts no other.
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

// Returns the shuffled labels of an epoch that `sampling` draws.
std::vector<std::int64_t> drawn(const std::string& source, const config::SamplingSpec& sampling) {
    config::StreamSpec spec = stream_spec("source = { " + source + " }");
    spec.sampling = sampling;
    const Chain chain(spec, test_registry(), 1, "data.train");
    Loader loader(chain, {.batch = static_cast<std::int64_t>(chain.length()), .shuffle = true, .fields = {"label"}});
    const auto labels = loader.next().fields[0].tensor.as<std::int64_t>();
    return {labels.begin(), labels.end()};
}

TEST_F(CsvImages, of_rare_classes_come_as_often_if_that_is_wanted) {
    write_set({"a", "a", "a", "a", "a", "a", "a", "a", "b", "b", "c", "c"});
    const std::vector<std::int64_t> balanced =
        drawn(kSource, {.use = config::SamplingKind::balanced, .weights = {}, .origin = {}});
    const std::vector<std::int64_t> chosen =
        drawn(kSource, {.use = config::SamplingKind::classes, .weights = {1, 0, 2}, .origin = {}});
    const std::array<int, 3> expected{4, 0, 8};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(std::ranges::count(balanced, static_cast<std::int64_t>(i)), 4) << i;
        EXPECT_EQ(std::ranges::count(chosen, static_cast<std::int64_t>(i)), expected.at(i)) << i;
    }
    expect_contains(
        error_of([] { drawn(kSource, {.use = config::SamplingKind::classes, .weights = {1}, .origin = {}}); }),
        {"2 ", "sampling.weights has 1 weight; the greatest class is 2"});
    expect_contains(
        error_of([] { drawn(kSource, {.use = config::SamplingKind::weights, .weights = {}, .origin = {}}); }),
        {"2 ", "option 'weights' is not set; it names the column"});
}

// In this epoch, 4 of 8 samples are the one picture of class b.
TEST_F(CsvImages, that_come_again_in_an_epoch_are_cropped_and_flipped_anew) {
    write_set({"a", "a", "a", "a", "a", "a", "a", "b"});
    for (int i = 0; i < 8; ++i) {
        write("set/" + std::to_string(i) + ".png", test::png_of(test::make_picture(64, 64, 3, i)));
    }
    config::StreamSpec spec = stream_spec("source = { " + kSource + R"( }
        map = [{ use = "decode" }, { use = "random_crop", size = [8, 8] }, { use = "random_flip" }])");
    spec.sampling.use = config::SamplingKind::balanced;
    const Chain chain(spec, test_registry(), 1, "data.train");
    Loader loader(chain, {.batch = 8, .shuffle = true, .fields = {"image", "label"}});
    const Batch& batch = loader.next();
    std::set<std::vector<std::uint8_t>> crops;
    for (std::size_t i = 0; i < 8; ++i) {
        const auto image = std::span(batch.fields[0].tensor.bytes).subspan(i * 192, 192);
        if (batch.fields[1].tensor.as<std::int64_t>()[i] == 1) {
            crops.emplace(image.begin(), image.end());
        }
    }
    EXPECT_EQ(crops.size(), 4U);
}

TEST_F(CsvImages, come_by_the_weights_of_a_column) {
    write("set/a.png", "a");
    write("set/b.png", "b");
    const std::string table = "image,label,often\na.png,a,3\nb.png,b,";
    const std::string source = kSource + R"(, weights = "often")";
    write("set/t.csv", table + "1\n");
    const auto labels = drawn(source, {.use = config::SamplingKind::weights, .weights = {}, .origin = {}});
    EXPECT_GE(std::ranges::count(labels, 0), 1);  // the expected number is 1.5 of 2
    write("set/t.csv", table + "often\n");
    expect_contains(refusal(source), {"3 ", "set/t.csv:3: the weight 'often' is not a number of at least 0"});
}

TEST_F(CsvImages, cannot_be_mixed_with_a_source_of_other_fields) {
    write_set({"a", "b"});
    expect_contains(
        error_of([] { make_chain("source = [{ " + kSource + R"( }, { use = "photos", folder = "set" }])"); }),
        {"2 ", "samples of source 'photos' have the fields sharp", "those of 'csv_images' before it", "label"});
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
    expect_contains(refusal(kSource), {"3 ", "set/t.csv:4: '0.png' is already in line 2"});
}

TEST_F(CsvImages, without_their_pictures_may_count_as_bad_samples) {
    write_set({"a", "b", "a", "c", "a"});
    std::filesystem::remove("set/1.png");
    expect_missing(kSource, {1}, "set/t.csv:3: there is no file 'set/1.png'");
    std::filesystem::remove("set/3.png");
    expect_missing(kSource, {1, 3}, "set/t.csv:3: there is no file 'set/1.png' (and 1 more)");
}

}  // namespace
}  // namespace sluice::data
