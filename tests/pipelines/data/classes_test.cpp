// Pipelines whose target is not a picture: they train, evaluate and save, and they report bad labels.
#include "data/labelled_test.hpp"

namespace sluice::test {
namespace {

constexpr std::string_view kSegmentation = R"(version = 1
seed = 3

[data]
batch = 8
workers = 1

[data.train]
source = { use = "test_regions", count = 64 }
map = [{ use = "random_flip", fields = ["image", "classes"] }]

[data.validation]
source = { use = "test_regions", count = 20, first = 1000 }

[model]
input = "image"
target = "classes"
layers = [
  { type = "conv2d", filters = 8, kernel = 5 },
  { type = "batch_norm" },
  { type = "gelu" },
  { type = "conv2d", filters = 8, kernel = 5 },
  { type = "batch_norm" },
  { type = "relu" },
  { type = "conv2d", filters = 2, kernel = 3 },
]

[loss]
use = "softmax_cross_entropy"
class_weights = [1.0, 2.0]
ignore_label = 255

[metrics]
use = [{ use = "mean_iou", ignore_label = 255 }, { use = "accuracy", ignore_label = 255 }]

[optimizer]
use = "adam"
rate = 1e-2

[train]
epochs = 8
)";

class Classes : public LabelledTest {
protected:
    void write_segmentation(const Replacements& replacements = {}) const {
        write_pipeline("labelled.toml", std::string(kSegmentation), replacements);
    }

    // Returns the metrics of the best checkpoint, and writes those of each sample to samples.csv.
    [[nodiscard]] std::map<std::string, double> measured() const {
        return scores(checkpoint("run", "best"), {"--csv", "samples.csv"});
    }
};

TEST_F(Classes, a_small_classifier_learns) {
    write_classifier();
    const Finished finished = train_into("run");
    expect_success(finished);
    EXPECT_EQ(finished.err.find("host predict"), std::string::npos) << finished.err;
    EXPECT_FALSE(std::filesystem::exists(folder() / "run/samples"));
    EXPECT_TRUE(std::filesystem::exists(folder() / "run/batch_0.png"));

    const auto found = measured();
    EXPECT_GE(found.at("accuracy"), 0.95);
    EXPECT_EQ(found.at("top_k"), found.at("accuracy"));
    EXPECT_GE(found.at("top_k_2"), found.at("top_k"));
    EXPECT_LT(found.at("softmax_cross_entropy"), 0.5);
    const std::vector<std::string> lines = lines_of(read_bytes(folder() / "samples.csv"));
    ASSERT_EQ(lines.size(), 51U);
    EXPECT_EQ(lines[0], "sample,accuracy,top_k,top_k_2,softmax_cross_entropy");
    EXPECT_TRUE(lines[1].starts_with("\"stripes 0\",")) << lines[1];
}

TEST_F(Classes, a_small_segmentation_learns) {
    write_segmentation();
    expect_success(train_into("run"));
    const auto found = measured();
    EXPECT_GE(found.at("mean_iou"), 0.8);
    EXPECT_GE(found.at("accuracy"), 0.9);
    EXPECT_EQ(lines_of(read_bytes(folder() / "samples.csv")).size(), 21U);
}

TEST_F(Classes, a_resumed_run_judges_by_the_same_metric) {
    write_segmentation({{"epochs = 8", "epochs = 2"}});
    expect_success(train_into("run", {"--steps", "8"}));
    expect_success(host({"resume", "run", "--set", "train.steps=16"}));
    EXPECT_TRUE(lines_of(read_bytes(folder() / "run/metrics.csv"))[0].find("mean_iou") != std::string::npos);
}

TEST_F(Classes, a_label_that_is_no_class_is_named_with_its_sample) {
    write_classifier({{"count = 128", "count = 128, bad_at = 77"}});
    expect_refused(train_into("run", {"--quiet"}), 3,
                   {"data.train: sample 77 (stripes 77): field 'label' is 9",
                    "loss 'softmax_cross_entropy' takes classes 0 to 3"});
}

TEST_F(Classes, a_pixel_that_is_of_no_class_is_named_with_its_place) {
    write_segmentation({{"count = 64", "count = 64, bad_at = 2"}});
    expect_refused(train_into("run", {"--quiet"}), 3,
                   {"data.train: sample 2 (regions 2): field 'classes' is 7 at [3, ",
                    "takes classes 0 to 1 and 255, which it ignores"});
}

TEST_F(Classes, a_label_that_only_the_metric_does_not_take_is_found_in_the_validation) {
    write_segmentation({{"use = \"mean_iou\", ignore_label = 255", "use = \"mean_iou\""}});
    expect_refused(train_into("run", {"--quiet"}), 3,
                   {"data.validation: sample 0 (regions 0): field 'classes' is 255", "metric 'mean_iou' takes"});
}

TEST_F(Classes, a_target_that_does_not_fit_the_loss_is_refused) {
    write_classifier({{"target = \"label\"", "target = \"image\""}});
    expect_refused(train_into("run", {"--quiet"}), 2,
                   {"softmax_cross_entropy: the target is [16, 16, 16, 1] float32", "int32 or uint8: class numbers"});
    write_segmentation({{"kernel = 3 }", "kernel = 3, stride = 2 }"}});
    expect_refused(train_into("run", {"--quiet"}), 2,
                   {"the target is [8, 24, 24] uint8", "it should be [8, 12, 12] int64"});
    write_segmentation({{"[1.0, 2.0]", "[1.0, 2.0, 1.0]"}});
    expect_refused(train_into("run", {"--quiet"}), 2, {"class_weights has 3 numbers", "2 classes"});
}

TEST_F(Classes, a_metric_that_does_not_fit_is_found_before_the_first_step) {
    write_classifier({{"\"accuracy\", ", "\"accuracy\", \"psnr\", "}});
    expect_refused(train_into("run", {"--quiet"}), 2, {"psnr", "[16] int64"});
    EXPECT_FALSE(std::filesystem::exists(folder() / "run"));
    write_classifier({{"\"accuracy\", ", "\"accuracy\", \"relu\", "}});
    expect_refused(train_into("run", {"--quiet"}), 2, {"relu"});
}

TEST_F(Classes, predict_says_that_scores_are_no_picture) {
    write_segmentation({{"filters = 2, kernel", "filters = 3, kernel"}, {"[1.0, 2.0]", "[1.0, 2.0, 1.0]"}});
    expect_success(train_into("run", {"--steps", "1"}));
    write("a.png", "never read");
    expect_refused(host({"predict", checkpoint(), "--input", "a.png", "--output", "out"}), 2,
                   {"no picture", "softmax_cross_entropy"});
}

// If no label of a batch counts, the weights do not change and nothing becomes NaN.
TEST_F(Classes, batches_without_a_label_that_counts_change_nothing) {
    write_classifier({{"count = 128", "count = 128, ignored = true"},
                      {"  { type = \"batch_norm\" },\n", ""},
                      // Scores [N, 1, 1, 4] fit labels [N] as well.
                      {"global_average_pool\"", "global_average_pool\", keep_extents = true"},
                      {"label_smoothing = 0.05", "label_smoothing = 0.05\nignore_label = 255"}});
    expect_success(train_into("none", {"--steps", "0"}));
    expect_success(train_into("some", {"--steps", "3"}));
    EXPECT_TRUE(tensor_bytes_of(checkpoint("none")) == tensor_bytes_of(checkpoint("some")));
}

// A batch_norm after a global pool has only one value per channel and sample.
class SingleValues : public LabelledTest {
protected:
    void write_pooled(const std::string& norm, const Replacements& more) const {
        write_classifier(joined({{"{ type = \"global_average_pool\" },",
                                  "{ type = \"global_average_pool\" },\n  { name = \"pooled\", " + norm + " },"},
                                 {"epochs = 8", "epochs = 1"},
                                 {"count = 50", "count = 4"},
                                 {"{ use = \"top_k\", k = 2 }, ", ""}},
                                more));
    }
    // Trains, and returns the running mean and variance of `layer`.
    [[nodiscard]] std::vector<std::vector<float>> running(const std::vector<std::string>& more = {},
                                                          const std::string& layer = "pooled") const {
        std::filesystem::remove_all(folder() / "run");
        expect_success(train_into("run", more));
        const auto tensors = tensors_of(checkpoint());
        return {tensors.at("running/" + layer + "/mean"), tensors.at("running/" + layer + "/variance")};
    }
};

TEST_F(SingleValues, leave_running_statistics_as_they_are) {
    const std::string plain = R"(type = "batch_norm")";
    const std::vector<std::vector<float>> initial{std::vector<float>(16, 0.0F), std::vector<float>(16, 1.0F)};
    write_pooled(plain, {{"batch = 16", "batch = 1"}, {"count = 128", "count = 3"}});
    EXPECT_EQ(running(), initial);
    EXPECT_NE(running({}, "batch_norm"), running({"--steps", "1"}, "batch_norm"));
    write_pooled(plain, {{"count = 128", "count = 17"}});
    const auto whole = running({"--steps", "1"});
    EXPECT_NE(whole, initial);
    EXPECT_EQ(running(), whole);
    write_pooled(plain, {{"count = 128", "count = 18"}});
    EXPECT_NE(running(), running({"--steps", "1"}));
}

TEST_F(SingleValues, of_replicas_count_together_if_they_are_synchronized) {
    const std::vector<std::string> two{"--set", "strategy.use=mirrored", "--set", "strategy.replicas=2"};
    const auto steps = [&](const char* count) { return joined(two, std::vector<std::string>{"--steps", count}); };
    const Replacements three{{"batch = 16", "batch = 2"}, {"count = 128", "count = 3"}};
    write_pooled(R"(type = "batch_norm")", three);
    EXPECT_EQ(running(two), running(steps("0")));
    write_pooled(R"(type = "batch_norm", synchronized = true)", three);
    EXPECT_NE(running(steps("1")), running(steps("0")));
    EXPECT_EQ(running(two), running(steps("1")));
}

TEST_F(SingleValues, are_warned_of) {
    write_pooled(R"(type = "batch_norm")", {{"count = 128", "count = 33"}});
    EXPECT_NE(host({"plan", "labelled.toml"}).err.find("W labelled.toml:2"), std::string::npos);
    const std::string last = "batch_norm 'pooled' has one value per channel in the last batch of an epoch";
    EXPECT_NE(host({"plan", "labelled.toml"}).err.find(last), std::string::npos);
    EXPECT_NE(train_into("run").err.find(last), std::string::npos);
    EXPECT_NE(host({"plan", "labelled.toml", "--set", "data.batch=1"}).err.find("per channel in each batch"),
              std::string::npos);
    EXPECT_EQ(host({"plan", "labelled.toml", "--set", "data.batch=11"}).err.find("one value"), std::string::npos);
}

// The replicas get 2 samples and 1 sample; only the statistics of the first change.
TEST_F(SingleValues, of_uneven_shares_are_warned_of_as_such) {
    write_pooled(R"(type = "batch_norm")", {{"batch = 16", "batch = 3"}, {"count = 128", "count = 12"}});
    const std::vector<std::string> two{"--set", "strategy.use=mirrored", "--set", "strategy.replicas=2"};
    const auto plan = [&](const std::vector<std::string>& more = {}) {
        return host(joined(joined({"plan", "labelled.toml"}, two), more)).err;
    };
    expect_contains(plan(), {"in a share of each batch (3 samples in 2 shares), so there it learns nothing",
                             "make data.batch 4 or more, set synchronized = true or use group_norm"});
    expect_contains(plan({"--set", "data.batch=2"}), {"in every share of each batch (2 samples in 2 shares)"});
    expect_contains(plan({"--set", "data.batch=9"}),
                    {"in a share of the last batch of an epoch (3 samples in 2 shares)",
                     "so that the last batch is full or has at least 4 samples"});
    EXPECT_EQ(plan({"--set", "data.batch=4"}).find("one value"), std::string::npos);
    EXPECT_NE(running(two), running(joined({"--steps", "0"}, two)));
}

}  // namespace
}  // namespace sluice::test
