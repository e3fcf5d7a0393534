// Several csv_images of one pipeline: the run does not start unless a class has the same number in all of them.
#include "pictures.hpp"
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

constexpr std::string_view kPipeline = R"(version = 1
[data]
batch = 2
workers = 1
[data.train]
source = { use = "csv_images", file = "train.csv" }
map = [{ use = "decode" }]
[data.validation]
source = { use = "csv_images", file = "val.csv" }
map = [{ use = "decode" }]
[model]
input = "image"
target = "label"
layers = [{ type = "global_average_pool" }, { type = "dense", units = 4 }]
[loss]
use = "softmax_cross_entropy"
[metrics]
use = ["accuracy"]
[optimizer]
use = "sgd"
rate = 1e-2
)";

const std::vector<std::string> kDiffer = {
    "source 'csv_images'", "'train.csv'", "'val.csv'",  "'cat' in the ",
    "'dog' in the ",       "; only the ", " has 'cat'", R"(Give all of them classes = ["cat", "dog", "owl"])"};

class CsvClasses : public PipelineTest {
protected:
    CsvClasses() {
        for (int i = 0; i < 6; ++i) {
            write(std::to_string(i) + ".png", png_of(make_picture(8, 8, 3, i)));
        }
        write_list("train.csv", {"cat", "dog", "owl", "cat", "dog", "owl"});
        write_list("val.csv", {"dog", "owl", "dog"});
        write_data();
    }
    void write_list(const std::string& file, const std::vector<std::string>& classes,
                    const std::string& column = "label") const {
        std::string text = "image," + column + "\n";
        for (std::size_t i = 0; i < classes.size(); ++i) {
            text += std::to_string(i) + ".png," + classes[i] + "\n";
        }
        write(file, text);
    }
    void write_data(const Replacements& replacements = {}) const {
        write_pipeline("csv.toml", std::string(kPipeline), replacements);
    }
    [[nodiscard]] Finished train_csv(const std::vector<std::string>& more = {}) const {
        return host(joined({"train", "csv.toml", "--run-folder", "run", "--quiet"}, more));
    }
    void expect_trains() const {
        expect_success(train_csv());
        std::filesystem::remove_all(folder() / "run");
    }
};

TEST_F(CsvClasses, that_differ_between_training_and_validation_are_refused) {
    expect_refused(train_csv(), 2, joined({"csv.toml:6:"}, kDiffer));
    EXPECT_FALSE(std::filesystem::exists(folder() / "run"));
    expect_refused(host({"prepare", "csv.toml", "--out", "out"}), 2, kDiffer);
    expect_refused(host({"drain", "csv.toml", "--data", "validation"}), 2, joined({"csv.toml:9:"}, kDiffer));
}

TEST_F(CsvClasses, that_differ_between_sources_that_are_mixed_are_refused) {
    write_data({{R"(source = { use = "csv_images", file = "train.csv" })",
                 R"(source = [{ use = "csv_images", file = "train.csv" }, { use = "csv_images", file = "val.csv" }])"},
                {"[data.validation]\nsource = { use = \"csv_images\", file = \"val.csv\" }\n"
                 "map = [{ use = \"decode\" }]\n",
                 ""}});
    expect_refused(train_csv(), 2, kDiffer);
}

TEST_F(CsvClasses, that_are_given_or_the_same_are_taken) {
    const std::string classes = R"(, classes = ["cat", "dog", "owl"] })";
    write_data({{R"(file = "train.csv" })", R"(file = "train.csv")" + classes},
                {R"(file = "val.csv" })", R"(file = "val.csv")" + classes}});
    expect_trains();
    write_data({{R"(file = "train.csv" })", R"(file = "train.csv", classes = ["owl", "cat", "dog"] })"}});
    expect_refused(train_csv(), 2,
                   {"class 0 is 'owl' in the first and 'dog' in the second", R"(classes = ["owl", "cat", "dog"])"});
    write_data({{R"(file = "val.csv")", R"(file = "val.csv", label = "kind")"}});
    write_list("val.csv", {"owl", "dog", "cat"}, "kind");
    expect_trains();
    write_list("val.csv", {"cat", "dog"}, "kind");  // both have the same numbers as in train.csv
    expect_trains();
    write_data({{R"(file = "train.csv")", R"(file = "train.csv", split = "train")"},
                {R"(file = "val.csv")", R"(file = "train.csv", split = "validation")"}});
    expect_trains();
}

// The pipeline in the checkpoint names the training data, to which the new data is compared.
TEST_F(CsvClasses, of_other_data_to_evaluate_on_are_compared_with_those_of_the_training) {
    write_list("val.csv", {"cat", "dog", "owl"});
    expect_success(train_csv());
    write_list("test.csv", {"dog", "owl"});
    const std::vector<std::string> evaluate = {"evaluate", checkpoint().string(), "--set",
                                               "data.validation.source.file=test.csv"};
    expect_refused(host(evaluate), 2, {"'test.csv'", "'train.csv'", R"(classes = ["cat", "dog", "owl"])"});
    std::filesystem::remove(folder() / "train.csv");
    const Finished unknown = host(evaluate);
    expect_success(unknown);
    expect_contains(unknown.err, {"could not check that classes have the same numbers as in 'test.csv'", "train.csv"});
}

TEST_F(CsvClasses, that_are_many_are_listed_in_part) {
    std::vector<std::string> many;
    std::string text = "image,label\n";
    for (int i = 100; i < 300; ++i) {
        many.push_back("class " + std::to_string(i));
        write(std::to_string(i) + ".png", png_of(make_picture(8, 8)));
        text += std::to_string(i) + ".png," + many.back() + "\n";
    }
    write("train.csv", text);
    write_list("val.csv", {"class 290", "class 291", "class 292", "class 293"});
    expect_refused(
        train_csv(), 2,
        {"class 0 is 'class 100' in the first and 'class 290' in the second",
         "; only the first has 'class 100', 'class 101' and 194 more. Give all of them classes = [\"class 100\"",
         ", ...], all of them in one order"});
}

}  // namespace
}  // namespace sluice::test
