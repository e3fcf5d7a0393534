// Names of classes in a whole run: a checkpoint keeps them, messages use them, and a resume compares them.
#include "pictures.hpp"
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

constexpr std::string_view kNamedClasses = R"(version = 1
[data]
batch = 2
workers = 1
[data.train]
source = { use = "csv_images", file = "train.csv" }
map = [{ use = "decode" }]
[model]
input = "image"
target = "label"
layers = [{ type = "global_average_pool" }, { type = "dense", units = 4 }]
[loss]
use = "softmax_cross_entropy"
[optimizer]
use = "sgd"
rate = 1e-2
)";

constexpr const char* kCatDogOwl = R"({"label":["cat","dog","owl"]})";

class ClassNames : public PipelineTest {
protected:
    ClassNames() {
        for (int i = 0; i < 6; ++i) {
            write(std::to_string(i) + ".png", png_of(make_picture(8, 8, 3, i)));
        }
        write_list({"cat", "dog", "owl", "cat", "dog", "owl"});
        write_names();
    }
    void write_list(const std::vector<std::string>& classes) const {
        std::string text = "image,label\n";
        for (std::size_t i = 0; i < classes.size(); ++i) {
            text += std::to_string(i) + ".png," + classes[i] + "\n";
        }
        write("train.csv", text);
    }
    void write_names(const Replacements& replacements = {}) const {
        write_pipeline("names.toml", std::string(kNamedClasses), replacements);
    }
    [[nodiscard]] Finished train_names(const std::string& run, const std::vector<std::string>& more = {}) const {
        return host(joined({"train", "names.toml", "--run-folder", run, "--steps", "3"}, more));
    }
    [[nodiscard]] std::string kept(const std::string& run = "run") const {
        const auto metadata = metadata_of(checkpoint(run));
        const auto found = metadata.find("class_names");
        return found == metadata.end() ? "" : found->second;
    }
};

TEST_F(ClassNames, are_kept_in_the_checkpoint) {
    expect_success(train_names("run"));
    EXPECT_EQ(kept(), kCatDogOwl);
    write_names({{"{ use = \"decode\" }", "{ use = \"decode\" }, { use = \"one_hot\", classes = 4 }"}});
    expect_success(train_names("soft"));
    EXPECT_EQ(kept("soft"), kCatDogOwl);
}

TEST_F(ClassNames, of_labels_that_were_numbered_anew_are_not_kept) {
    write_names({{"{ use = \"decode\" }", "{ use = \"decode\" }, { use = \"label_map\", to = [2, 1, 0] }"}});
    expect_success(train_names("run"));
    EXPECT_EQ(kept(), "");
}

TEST_F(ClassNames, are_in_the_message_about_a_label) {
    write_names({{"units = 4", "units = 2"}});
    expect_refused(train_names("run", {"--quiet"}), 3,
                   {"field 'label' is 2 ('owl'); loss 'softmax_cross_entropy' takes classes 0 to 1 ('cat' to 'dog')"});
}

TEST_F(ClassNames, that_have_changed_are_warned_of_at_a_resume) {
    const std::vector<std::string> resume = {"resume", "run", "--set", "train.steps=6", "--set", "train.epochs=9"};
    expect_success(train_names("run"));
    const Finished same = host(resume);
    expect_success(same);
    EXPECT_EQ(same.err.find("of field 'label'"), std::string::npos) << same.err;
    write_list({"cat", "cow", "owl", "cat", "cow", "owl"});
    const Finished other = host(joined(resume, std::vector<std::string>{"--set", "train.steps=9"}));
    expect_success(other);
    EXPECT_EQ(count_of(other.err, "class 1 of field 'label' is 'cow' in the data now; it was 'dog' when the run was"),
              1U)
        << other.err;
    EXPECT_EQ(kept(), R"({"label":["cat","cow","owl"]})");
}

TEST_F(ClassNames, pass_through_prepared_files) {
    expect_success(host({"prepare", "names.toml", "--out", "out"}));
    const Replacements prepared{{R"(use = "csv_images", file = "train.csv")", R"(use = "records", path = "out")"},
                                {"map = [{ use = \"decode\" }]", "map = []"}};
    write_names(prepared);
    expect_success(train_names("run"));
    EXPECT_EQ(kept(), kCatDogOwl);
    write_names(joined(prepared, Replacements{{"units = 4", "units = 2"}}));
    expect_refused(train_names("few", {"--quiet"}), 3, {"field 'label' is 2 ('owl')", "('cat' to 'dog')"});
}

// TFRecord files do not keep the names of classes.
TEST_F(ClassNames, that_data_lack_leave_those_of_the_run) {
    expect_success(train_names("run"));
    expect_success(host({"prepare", "names.toml", "--out", "out", "--format", "tfrecord", "--prefix", "0"}));
    const Finished resumed = host({"resume", "run", "--set", "train.steps=6", "--set", "train.epochs=9", "--set",
                                   R"(data.train.source={ use = "records", path = "out" })"});
    expect_success(resumed);
    EXPECT_EQ(resumed.err.find("of field 'label'"), std::string::npos) << resumed.err;
    EXPECT_EQ(kept(), kCatDogOwl);
    write_names({{R"(use = "csv_images", file = "train.csv")", R"(use = "records", path = "out")"}});
    expect_success(train_names("nameless"));
    EXPECT_EQ(kept("nameless"), "");
}

TEST_F(ClassNames, of_sources_that_differ_are_not_kept) {
    expect_success(host({"prepare", "names.toml", "--out", "out", "--prefix", "0"}));
    write_list({"cat", "cow", "owl"});
    write_names({{R"({ use = "csv_images", file = "train.csv" })",
                  R"([{ use = "records", path = "out" }, { use = "csv_images", file = "train.csv" }])"}});
    const Finished finished = train_names("run");
    expect_success(finished);
    EXPECT_EQ(count_of(finished.err, "class 1 of field 'label' is 'cow' in source 'csv_images' but 'dog'"), 1U)
        << finished.err;
    EXPECT_EQ(kept(), "");
}

}  // namespace
}  // namespace sluice::test
