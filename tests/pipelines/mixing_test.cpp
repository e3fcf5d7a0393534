// Pipelines that mix the samples of their batches: they learn, repeat to the same bits, and say what cannot be mixed.
#include <nlohmann/json.hpp>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

constexpr std::string_view kPipeline = R"(version = 1
seed = 3

[data]
batch = 16
workers = 1

[data.train]
source = { use = "test_stripes", count = 135 }
map = [
  { use = "random_flip" },
  { use = "one_hot", classes = 4 },
  { use = "mixup", alpha = 0.2 },
]

[data.validation]
source = { use = "test_stripes", count = 50, first = 1000 }
map = []

[model]
input = "image"
target = "label"
layers = [
  { type = "conv2d", filters = 8, kernel = 5, stride = 2 },
  { type = "batch_norm" },
  { type = "leaky_relu", slope = 0.1 },
  { type = "conv2d", filters = 16, stride = 2 },
  { type = "silu" },
  { type = "global_average_pool" },
  { type = "dense", units = 4 },
]

[loss]
use = "softmax_cross_entropy"
label_smoothing = 0.05

[metrics]
use = ["accuracy", "softmax_cross_entropy"]

[optimizer]
use = "adam"
rate = 1e-2

[train]
epochs = 8

[checkpoint]
monitor = "accuracy"
)";

class Mixing : public PipelineTest {
protected:
    void write_pipeline(const Replacements& replacements = {}) const {
        std::string text(kPipeline);
        for (const auto& [from, to] : replacements) {
            ASSERT_EQ(count_of(text, from), 1U) << from;
            text.replace(text.find(from), from.size(), to);
        }
        write("mixing.toml", text);
    }

    [[nodiscard]] Finished run_host(std::vector<std::string> arguments) const {
        arguments.insert(arguments.end(), {"--plugin", SLUICE_TEST_LABELLED_DIR});
        return host(arguments);
    }

    [[nodiscard]] Finished train_into(const std::string& run, const std::vector<std::string>& more = {}) const {
        std::vector<std::string> arguments{"train", "mixing.toml", "--run-folder", run};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_host(arguments);
    }

    [[nodiscard]] nlohmann::json measured(const std::vector<std::string>& more = {}) const {
        std::vector<std::string> arguments{"evaluate", checkpoint("run", "best"), "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Finished finished = run_host(arguments);
        expect_success(finished);
        return nlohmann::json::parse(finished.out);
    }
};

TEST_F(Mixing, a_classifier_learns_from_blended_labels) {
    write_pipeline();
    expect_success(train_into("run"));
    const nlohmann::json scores = measured();
    EXPECT_GE(scores.at("accuracy").get<double>(), 0.9);
    // Class numbers and rows of one_hot say the same.
    const nlohmann::json of_rows = measured({"--set", R"(data.validation.map=[{ use = "one_hot", classes = 4 }])"});
    EXPECT_EQ(of_rows.at("accuracy"), scores.at("accuracy"));
    EXPECT_NEAR(of_rows.at("softmax_cross_entropy").get<double>(), scores.at("softmax_cross_entropy").get<double>(),
                1e-5);
}

TEST_F(Mixing, makes_the_same_bits_for_any_workers_and_after_a_stop) {
    write_pipeline();
    const std::vector<std::string> twenty{"--steps", "20"};  // into the third epoch
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.end(), twenty.begin(), twenty.end());
        return more;
    };
    expect_success(train_into("whole", with({"--set", "data.workers=0"})));
    expect_success(train_into("workers", with({"--set", "data.workers=2", "--set", "data.prefetch=5"})));
    expect_success(train_into("stopped", {"--steps", "13"}));
    expect_success(run_host({"resume", "stopped", "--set", "train.steps=20"}));
    write_pipeline({{"  { use = \"mixup\", alpha = 0.2 },\n", ""}});
    expect_success(train_into("unmixed", twenty));
    const auto whole = tensors_of(checkpoint("whole"));
    EXPECT_TRUE(tensors_of(checkpoint("workers")) == whole);
    EXPECT_TRUE(tensors_of(checkpoint("stopped")) == whole);
    EXPECT_FALSE(tensors_of(checkpoint("unmixed")) == whole);
}

TEST_F(Mixing, trains_with_cutmix_behind_mixup) {
    write_pipeline({{"alpha = 0.2 },\n", "alpha = 0.2 },\n  { use = \"cutmix\" },\n"}});
    expect_success(train_into("run", {"--steps", "12"}));
    const Finished drained = run_host({"drain", "mixing.toml", "--epochs", "1"});
    expect_success(drained);
    for (const char* const stage : {"one_hot", "mixup", "cutmix"}) {
        EXPECT_NE(drained.out.find("\n" + std::string(stage)), std::string::npos) << drained.out;
    }
    const Finished planned = run_host({"plan", "mixing.toml"});
    expect_success(planned);
    EXPECT_NE(planned.out.find("test_stripes > random_flip > one_hot > mixup > cutmix\n"), std::string::npos)
        << planned.out;
}

TEST_F(Mixing, of_class_numbers_is_refused_before_anything_runs) {
    write_pipeline({{"  { use = \"one_hot\", classes = 4 },\n", ""}});
    const std::vector<std::string> message{"mixing.toml:12", "transform 'mixup'", "'label' is a class number",
                                           "put { use = \"one_hot\", classes = ... } before"};
    expect_refused(train_into("run", {"--quiet"}), 2, message);
    expect_refused(run_host({"plan", "mixing.toml"}), 2, message);
    EXPECT_FALSE(std::filesystem::exists(folder() / "run"));
}

TEST_F(Mixing, of_validation_data_is_refused) {
    write_pipeline({{"map = []", "map = [{ use = \"one_hot\", classes = 4 }, { use = \"mixup\" }]"}});
    expect_refused(train_into("run", {"--quiet"}), 2,
                   {"mixing.toml:18", "data.validation: 'mixup' changes whole batches", "take it out of this map"});
}

TEST_F(Mixing, stands_behind_transforms_of_samples) {
    write_pipeline({{"alpha = 0.2 },\n", "alpha = 0.2 },\n  { use = \"rotate90\" },\n"}});
    expect_refused(train_into("run", {"--quiet"}), 2,
                   {"mixing.toml:14", "data.train: 'rotate90' works on samples and stands behind 'mixup'"});
}

TEST_F(Mixing, a_target_of_the_wrong_width_is_refused) {
    write_pipeline({{"classes = 4 }", "classes = 5 }"}});
    expect_refused(train_into("run", {"--quiet"}), 2,
                   {"softmax_cross_entropy: the target is [16, 5] float32", "it should be [16] int64, int32 or uint8",
                    "or [16, 4] float32: a probability for each class"});
    write_pipeline({{"label_smoothing = 0.05", "ignore_label = 255"}});
    expect_refused(train_into("run", {"--quiet"}), 2,
                   {"softmax_cross_entropy: ignore_label is 255", "[16, 4] float32 holds no class numbers"});
}

TEST_F(Mixing, is_left_to_the_training_by_prepare) {
    write_pipeline({{"  { use = \"random_flip\" },\n", ""}});
    const Finished finished = run_host({"prepare", "mixing.toml", "--out", "out"});
    expect_success(finished);
    EXPECT_EQ(finished.out,
              "source = { use = \"records\", path = \"out\" }\n"
              "map = [{ use = \"mixup\", alpha = 0.2 }]\n");
    EXPECT_NE(finished.err.find("up to 'mixup', which works on whole batches"), std::string::npos) << finished.err;
    expect_refused(run_host({"prepare", "mixing.toml", "--out", "other", "--prefix", "2"}), 2,
                   {"--prefix 2: the chain has 1 transforms of samples"});
    expect_refused(run_host({"prepare", "mixing.toml", "--out", "other", "--until", "mixup"}), 2,
                   {"--until mixup: the chain has no such transform of samples"});
    const Finished trained =
        train_into("run", {"--steps", "2", "--set", R"(data.train.source={ use = "records", path = "out" })", "--set",
                           R"(data.train.map=[{ use = "mixup", alpha = 0.2 }])"});
    expect_success(trained);
}

}  // namespace
}  // namespace sluice::test
