// Pipelines that mix the samples of their batches: they learn, repeat to the same bits, and report what cannot be
// mixed.
#include "data/labelled_test.hpp"

namespace sluice::test {
namespace {

class Mixing : public LabelledTest {
protected:
    void write_mixing(const Replacements& replacements = {}) const {
        write_classifier(joined({{"count = 128 }\n", R"(count = 135 }
map = [
  { use = "random_flip" },
  { use = "one_hot", classes = 4 },
  { use = "mixup", alpha = 0.2 },
]
)"},
                                 {"first = 1000 }\n", "first = 1000 }\nmap = []\n"},
                                 {R"({ use = "top_k", k = 1 }, { use = "top_k", k = 2 }, )", ""}},
                                replacements));
    }
};

TEST_F(Mixing, a_classifier_learns_from_blended_labels) {
    write_mixing();
    expect_success(train_into("run"));
    const auto given = scores(checkpoint("run", "best"));
    EXPECT_GE(given.at("accuracy"), 0.9);
    // Class numbers and rows of one_hot give the same scores.
    const auto of_rows =
        scores(checkpoint("run", "best"), {"--set", R"(data.validation.map=[{ use = "one_hot", classes = 4 }])"});
    EXPECT_EQ(of_rows.at("accuracy"), given.at("accuracy"));
    EXPECT_NEAR(of_rows.at("softmax_cross_entropy"), given.at("softmax_cross_entropy"), 1e-5);
}

TEST_F(Mixing, makes_the_same_bits_for_any_workers_and_after_a_stop) {
    write_mixing();
    const std::vector<std::string> twenty{"--steps", "20"};  // these end in the third epoch
    expect_success(train_into("whole", joined({"--set", "data.workers=0"}, twenty)));
    expect_success(train_into("workers", joined({"--set", "data.workers=2", "--set", "data.prefetch=5"}, twenty)));
    expect_success(train_into("stopped", {"--steps", "13"}));
    expect_success(host({"resume", "stopped", "--set", "train.steps=20"}));
    write_mixing({{"  { use = \"mixup\", alpha = 0.2 },\n", ""}});
    expect_success(train_into("unmixed", twenty));
    const auto whole = tensors_of(checkpoint("whole"));
    EXPECT_TRUE(tensors_of(checkpoint("workers")) == whole);
    EXPECT_TRUE(tensors_of(checkpoint("stopped")) == whole);
    EXPECT_FALSE(tensors_of(checkpoint("unmixed")) == whole);
}

TEST_F(Mixing, trains_with_cutmix_after_mixup) {
    write_mixing({{"alpha = 0.2 },\n", "alpha = 0.2 },\n  { use = \"cutmix\" },\n"}});
    expect_success(train_into("run", {"--steps", "12"}));
    expect_output({"drain", "labelled.toml", "--epochs", "1"}, {"\none_hot", "\nmixup", "\ncutmix"});
    expect_output({"plan", "labelled.toml"}, {"test_stripes > random_flip > one_hot > mixup > cutmix\n"});
}

TEST_F(Mixing, of_class_numbers_is_refused_before_anything_runs) {
    write_mixing({{"  { use = \"one_hot\", classes = 4 },\n", ""}});
    const std::vector<std::string> message{"labelled.toml:12", "transform 'mixup'", "'label' is a class number",
                                           "put { use = \"one_hot\", classes = ... } before"};
    expect_refused(train_into("run", {"--quiet"}), 2, message);
    expect_refused(host({"plan", "labelled.toml"}), 2, message);
    EXPECT_FALSE(std::filesystem::exists(folder() / "run"));
}

TEST_F(Mixing, of_validation_data_is_refused) {
    write_mixing({{"map = []", "map = [{ use = \"one_hot\", classes = 4 }, { use = \"mixup\" }]"}});
    expect_refused(train_into("run", {"--quiet"}), 2,
                   {"labelled.toml:18", "data.validation: 'mixup' changes whole batches", "take it out of this map"});
}

TEST_F(Mixing, comes_after_transforms_of_samples) {
    write_mixing({{"alpha = 0.2 },\n", "alpha = 0.2 },\n  { use = \"rotate90\" },\n"}});
    expect_refused(train_into("run", {"--quiet"}), 2,
                   {"labelled.toml:14", "data.train: 'rotate90' works on samples but comes after 'mixup'"});
}

TEST_F(Mixing, a_target_of_the_wrong_width_is_refused) {
    write_mixing({{"classes = 4 }", "classes = 5 }"}});
    expect_refused(train_into("run", {"--quiet"}), 2,
                   {"softmax_cross_entropy: the target is [16, 5] float32", "it should be [16] int64, int32 or uint8",
                    "or [16, 4] float32: a probability for each class"});
    write_mixing({{"label_smoothing = 0.05", "ignore_label = 255"}});
    expect_refused(train_into("run", {"--quiet"}), 2,
                   {"softmax_cross_entropy: ignore_label is 255", "[16, 4] float32 holds no class numbers"});
}

TEST_F(Mixing, is_left_to_the_training_by_prepare) {
    write_mixing({{"  { use = \"random_flip\" },\n", ""}});
    const Finished finished = host({"prepare", "labelled.toml", "--out", "out"});
    expect_success(finished);
    EXPECT_EQ(finished.out,
              "source = { use = \"records\", path = \"out\" }\n"
              "map = [{ use = \"mixup\", alpha = 0.2 }]\n");
    EXPECT_NE(finished.err.find("up to 'mixup', which works on whole batches"), std::string::npos) << finished.err;
    expect_refused(host({"prepare", "labelled.toml", "--out", "other", "--prefix", "2"}), 2,
                   {"--prefix 2: the chain has 1 transform of samples"});
    expect_refused(host({"prepare", "labelled.toml", "--out", "other", "--until", "mixup"}), 2,
                   {"--until mixup: the chain has no such transform of samples"});
    expect_success(train_into("run", {"--steps", "2", "--set", R"(data.train.source={ use = "records", path = "out" })",
                                      "--set", R"(data.train.map=[{ use = "mixup", alpha = 0.2 }])"}));
}

}  // namespace
}  // namespace sluice::test
