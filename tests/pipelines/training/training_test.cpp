// Trainings: the loss falls, the same seed gives the same bytes, and --steps and --set work.
#include <algorithm>
#include <sstream>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Training : public PipelineTest {
protected:
    // Returns the column `name` of metrics.csv.
    [[nodiscard]] std::vector<double> column(const std::string& run, const std::string& name) const {
        const std::vector<std::string> rows = lines_of(read_bytes(folder() / run / "metrics.csv"));
        const auto cells = [](const std::string& row) {
            std::vector<std::string> all;
            std::istringstream stream(row);
            for (std::string cell; std::getline(stream, cell, ',');) {
                all.push_back(cell);
            }
            return all;
        };
        const std::vector<std::string> names = cells(rows.at(0));
        const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
        std::vector<double> values;
        for (std::size_t row = 1; row < rows.size(); ++row) {
            values.push_back(std::stod(cells(rows[row]).at(at)));
        }
        return values;
    }
};

TEST_F(Training, overfits_one_batch) {
    write_tiny({{"rate = 0.1", "rate = 0.0"},
                {"filters = 6, kernel = 3", "filters = 16, kernel = 7"},
                {"rate = 1e-3", "rate = 2e-2"},
                {"epochs = 2", "epochs = 40"}});
    train("run", {"--overfit-one-batch"});
    const std::vector<double> loss = column("run", "loss");
    ASSERT_EQ(loss.size(), 40U);
    EXPECT_LT(loss.back(), 0.6 * loss.front());
}

// The run evaluates more often than it saves, but `best` still holds the weights of the best evaluation.
TEST_F(Training, best_is_the_best) {
    write_tiny({{"epochs = 2", "epochs = 9"},
                {"every = \"1 epoch\"", "every = \"4 epochs\""},
                {"rate = 1e-3", "rate = 3e-2"}});
    train();
    const std::vector<double> psnr = column("run", "psnr");
    ASSERT_EQ(psnr.size(), 9U);
    EXPECT_NEAR(scores(checkpoint("run", "best")).at("psnr"), *std::max_element(psnr.begin(), psnr.end()), 1e-4);
}

TEST_F(Training, same_seed_gives_the_same_bytes_with_any_number_of_workers) {
    // The text of the pipeline in the checkpoint differs, but the tensors after it may not.
    const auto tensors = [&](const std::string& run) { return tensor_bytes_of(checkpoint(run)); };
    write_tiny();
    train("one");
    train("one_again");
    EXPECT_TRUE(read_bytes(checkpoint("one")) == read_bytes(checkpoint("one_again")));
    train("none", {"--set", "data.workers=0"});
    train("three", {"--set", "data.workers=3", "--set", "data.prefetch=1"});
    EXPECT_TRUE(tensors("one") == tensors("none"));
    EXPECT_TRUE(tensors("one") == tensors("three"));
    train("other", {"--set", "seed=4"});
    EXPECT_FALSE(tensors("one") == tensors("other"));
}

// An epoch has four steps.
TEST_F(Training, weights_are_shown_after_each_epoch_and_at_the_end) {
    const auto shown = [&](const std::string& run) {
        std::size_t count = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder() / run)) {
            const bool is_of_events = entry.path().filename().string().find("tfevents") != std::string::npos;
            const std::string bytes = is_of_events ? read_bytes(entry.path()) : "";
            for (std::size_t at = bytes.find("gradients/"); at != std::string::npos;
                 at = bytes.find("gradients/", at + 1)) {
                ++count;
            }
        }
        return count;
    };
    write_tiny();
    const auto train_steps = [&](const std::string& run, const std::string& steps) {
        train(run, {"--steps", steps, "--set", R"(observe.use=[{ use = "tensorboard", histograms = true }])"});
        return shown(run);
    };
    const std::size_t once = train_steps("one_epoch", "4");
    EXPECT_GT(once, 0U);
    EXPECT_EQ(train_steps("within_an_epoch", "2"), once);
    EXPECT_EQ(train_steps("more", "6"), 2 * once);
    static_cast<void>(host({"resume", "more"}));  // which trains nothing
    EXPECT_EQ(shown("more"), 2 * once);
}

TEST_F(Training, steps_stop_early_and_keep_the_schedule) {
    write_tiny({{"epochs = 2", "epochs = 4"}});
    train("whole");
    train("part", {"--steps", "8"});
    const auto whole = column("whole", "rate");
    const auto part = column("part", "rate");
    ASSERT_EQ(whole.size(), 4U);
    ASSERT_EQ(part.size(), 2U);
    EXPECT_EQ(whole[0], part[0]);
    EXPECT_EQ(whole[1], part[1]);
    EXPECT_EQ(column("whole", "loss")[1], column("part", "loss")[1]);
}

TEST_F(Training, more_steps_than_epochs_end_with_the_epochs) {
    write_tiny();
    const Finished finished = train("run", {"--steps", "100"});
    EXPECT_NE(finished.err.find("finished at step 8"), std::string::npos) << finished.err;
}

TEST_F(Training, steps_that_end_within_an_epoch_are_saved) {
    write_tiny();
    train("run", {"--steps", "3"});
    EXPECT_TRUE(std::filesystem::exists(checkpoint("run", "step-00000003")));
    expect_success(host({"resume", "run", "--set", "train.steps=8"}));
    EXPECT_TRUE(std::filesystem::exists(checkpoint("run", "step-00000008")));
}

TEST_F(Training, set_changes_a_value_and_says_so) {
    write_tiny();
    train("run", {"--set", "optimizer.use=sgd", "--set", "train.epochs=1"});
    EXPECT_EQ(column("run", "loss").size(), 1U);
    const std::string resolved = read_bytes(folder() / "run/resolved.toml");
    EXPECT_NE(resolved.find("# --set optimizer.use=sgd"), std::string::npos) << resolved;
}

TEST_F(Training, environment_variables_are_put_in) {
    process_options().environment["TINY_SPLIT"] = "test";
    write_tiny({{"split = \"validation\"", "split = \"${TINY_SPLIT}\""}});
    train();
    write_tiny({{"split = \"validation\"", "split = \"${TINY_SPILT}\""}});
    expect_refused(host({"--pipeline", "tiny.toml"}), 2, {"tiny.toml:16:", "TINY_SPILT"});
}

TEST_F(Training, tells_what_to_do_next) {
    write_tiny();
    const Finished finished = train();
    expect_contains(finished.err, {"host predict run/checkpoints/best.safetensors",
                                   "host evaluate run/checkpoints/best.safetensors"});
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(train("hushed", {"--quiet"}).err, "");
}

TEST_F(Training, without_validation_data) {
    write_tiny({kWithoutValidation});
    const Finished finished = train();
    EXPECT_FALSE(std::filesystem::exists(checkpoint("run", "best")));
    EXPECT_NE(finished.err.find("host predict run/checkpoints/last.safetensors"), std::string::npos) << finished.err;
}

}  // namespace
}  // namespace sluice::test
