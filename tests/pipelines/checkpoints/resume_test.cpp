// A run that is killed at any moment and resumed ends with the same bytes as a run that is never killed.
#include <chrono>
#include <cmath>
#include <csignal>
#include <thread>

#include "pictures.hpp"
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Resume : public PipelineTest {
protected:
    // Trains for some seconds. Epochs have 7 batches, so that checkpoints lie within epochs, and the last batch is
    // smaller.
    void train_whole(unsigned epochs = 40, const Replacements& more = {}) {
        epochs_ = epochs;
        write_tiny(joined({{"count = 16, size = [32, 32]", "count = 26, size = [64, 64]"},
                           {"every = \"1 epoch\"", "every = \"3 steps\""},
                           {"epochs = 2", "epochs = " + std::to_string(epochs)}},
                          more));
        train("whole");
    }

    // Trains into `run` until it finishes, and kills it up to `kills` times before.
    void kill_often(const std::string& run, int kills, unsigned seed) {
        std::mt19937 random(seed);
        EXPECT_GE(train_and_kill(run, kills, random, 300'000), 1) << "the run finished before it could be killed";
        expect_success(host({"resume", run}));
    }

    void expect_same_end(const std::string& run) {
        EXPECT_TRUE(read_bytes(checkpoint(run)) == read_bytes(checkpoint("whole"))) << "last.safetensors differs";
        EXPECT_TRUE(read_bytes(checkpoint(run, "best")) == read_bytes(checkpoint("whole", "best")))
            << "best.safetensors differs";
        expect_each_epoch_once(run);
    }

    void expect_each_epoch_once(const std::string& run) {
        const std::string table = read_bytes(folder() / run / "metrics.csv");
        EXPECT_EQ(count_of(table, "\n"), 1U + epochs_) << table;
        for (unsigned epoch = 1; epoch <= epochs_; ++epoch) {
            EXPECT_EQ(count_of(table, "\n" + std::to_string(epoch) + ","), 1U) << table;
        }
    }

private:
    unsigned epochs_ = 0;
};

TEST_F(Resume, after_kills_ends_with_the_same_bytes) {
    train_whole();
    kill_often("killed", 3, 1);
    expect_same_end("killed");
}

// A step accumulates three batches, with clipping, averaged weights and a rate that follows evaluations.
TEST_F(Resume, of_all_that_makes_a_step_ends_with_the_same_bytes) {
    train_whole(
        20, {{"[train]\n", "[train]\naccumulate = 3\nema = 0.9\n"},
             {"rate = 1e-3", "rate = 1e-2\nclip_norm = 0.05"},
             {"use = \"cosine\"", "use = \"plateau\"\npatience = 1\nthreshold = 0.01\nfactor = 0.7\nwarmup = 0.1"}});
    EXPECT_LT(std::stod(metadata_of(checkpoint("whole")).at("plateau_scale")), 1.0);
    kill_often("killed", 3, 2);
    expect_same_end("killed");
}

// The loss scale grows until gradients overflow, again and again.
using SlowResume = Resume;

TEST_F(SlowResume, within_the_growth_of_a_loss_scale_ends_with_the_same_bytes) {
    train_whole(40, {{"[train]\n",
                      "[precision]\nuse = \"mixed_float16\"\ngrowth_interval = 4\ngrowth = 64.0\nceiling = 1e30\n\n"
                      "[train]\naccumulate = 2\n"}});
    EXPECT_GT(std::stoi(metadata_of(checkpoint("whole")).at("skipped_steps")), 10);
    kill_often("killed", 3, 3);
    expect_same_end("killed");
}

// An evaluation takes most of the time of each epoch here, so that the signal comes during one.
TEST_F(Resume, owes_the_evaluation_that_a_signal_has_cut_short) {
    write_tiny({{"count = 16, size = [32, 32]", "count = 4, size = [32, 32]"},
                {"count = 4, size = [24, 32]", "count = 1500, size = [24, 32]"},
                {"epochs = 2", "epochs = 3"}});
    train("whole");
    for (int attempt = 0;; ++attempt) {
        std::filesystem::remove_all(folder() / "cut");
        HostProcess process({"train", "tiny.toml", "--run-folder", "cut"}, process_options());
        ASSERT_TRUE(process.wait_for_file(checkpoint("cut")));
        std::this_thread::sleep_for(std::chrono::milliseconds(20 + 10 * attempt));
        process.send(SIGINT);
        EXPECT_EQ(process.finish().exit, 130);
        if (metadata_of(checkpoint("cut")).at("owes_evaluation") == "1") {
            break;
        }
        ASSERT_LT(attempt, 10) << "the signal never came during an evaluation";
    }
    expect_success(host({"resume", "cut"}));
    EXPECT_TRUE(read_bytes(checkpoint("cut")) == read_bytes(checkpoint("whole")));
    EXPECT_TRUE(read_bytes(checkpoint("cut", "best")) == read_bytes(checkpoint("whole", "best")));
    EXPECT_EQ(count_of(read_bytes(folder() / "cut/events.jsonl"), "\"kind\":\"evaluation\""), 3U);
}

TEST_F(Resume, of_a_run_on_one_batch_stays_on_it) {
    write_tiny();
    train("whole", {"--overfit-one-batch"});
    train("part", {"--overfit-one-batch", "--steps", "3"});
    expect_success(host({"resume", "part", "--set", "train.steps=8"}));
    EXPECT_EQ(tensors_of(checkpoint("part")), tensors_of(checkpoint("whole")));
    train("changed", {"--overfit-one-batch", "--steps", "3"});
    const Finished changed = host({"resume", "changed", "--set", "data.batch=8", "--set", "train.steps=5"});
    expect_success(changed);
    expect_contains(changed.err, {"an epoch has 2 batches, and had 4"});
    train("other");
    EXPECT_NE(tensors_of(checkpoint("other")), tensors_of(checkpoint("whole")));
}

TEST_F(Resume, from_an_older_checkpoint_leaves_the_newer_ones) {
    write_tiny({{"every = \"1 epoch\"\nkeep = 2", "every = \"1 steps\"\nkeep = 3"}});
    train("run", {"--steps", "6"});
    expect_success(host({"resume", "run", "--checkpoint", "run/checkpoints/step-00000004.safetensors", "--set",
                         "train.steps=5", "--set", "optimizer.rate=1e-4"}));
    EXPECT_TRUE(std::filesystem::exists(checkpoint("run", "left/step-00000005")));
    EXPECT_TRUE(std::filesystem::exists(checkpoint("run", "left/step-00000006")));
    EXPECT_TRUE(std::filesystem::exists(checkpoint("run", "step-00000005")));
    EXPECT_FALSE(std::filesystem::exists(checkpoint("run", "step-00000006")));
    EXPECT_EQ(metadata_of(checkpoint("run")).at("step"), "5");
    EXPECT_NE(tensors_of(checkpoint("run", "step-00000005")), tensors_of(checkpoint("run", "left/step-00000005")));
    // `keep` does not count the checkpoints in `left`: steps 3, 4 and 5 are kept.
    EXPECT_TRUE(std::filesystem::exists(checkpoint("run", "step-00000004")));
}

TEST_F(Resume, keeps_what_an_earlier_resume_set) {
    write_tiny();
    train("run", {"--steps", "3"});
    expect_success(
        host({"resume", "run", "--set", "train.steps=5", "--set", "optimizer.use=sgd", "--set", "train.ema=0.9"}));
    const std::string resolved = read_bytes(folder() / "run/resolved.toml");
    expect_contains(resolved, {"# tiny.toml:2:1", "# --set optimizer.use=sgd", "# --set train.ema=0.9", "# default"});
    EXPECT_EQ(resolved.find(".safetensors:"), std::string::npos) << resolved;
    const Finished again = host({"resume", "run"});
    expect_success(again);
    EXPECT_NE(again.err.find("the run had finished at step 5"), std::string::npos) << again.err;
    expect_success(host({"resume", "run", "--set", "train.steps=6"}));
    EXPECT_EQ(metadata_of(checkpoint("run")).at("step"), "6");
    EXPECT_NE(metadata_of(checkpoint("run")).at("pipeline").find("sgd"), std::string::npos);
    EXPECT_TRUE(tensors_of(checkpoint("run")).contains("average/model/conv2d/kernel"));
}

// The epoch has 4 batches of 4 samples and is stopped after the third; then it has 2 batches of 8.
TEST_F(Resume, begins_an_epoch_anew_whose_batches_were_changed) {
    write_tiny();
    train("run", {"--steps", "3"});
    const Finished finished =
        host({"resume", "run", "--set", "data.batch=8", "--set", "train.epochs=3", "--set", "train.steps=5"});
    expect_success(finished);
    EXPECT_NE(finished.err.find("an epoch has 2 batches, and had 4"), std::string::npos) << finished.err;
    EXPECT_EQ(metadata_of(checkpoint("run")).at("epoch"), "1");
    EXPECT_EQ(metadata_of(checkpoint("run")).at("batch"), "0");
}

// The epoch has as many batches, but the samples come in another order.
TEST_F(Resume, begins_an_epoch_anew_whose_order_was_changed) {
    write_tiny();
    for (const auto& [value, words] : std::vector<std::pair<std::string, std::string>>{
             {"data.train.source.count=15", "an epoch has 15 samples, and had 16 when"},
             {"seed=4", "samples come in another order than when"}}) {
        train("run", {"--steps", "3"});
        const Finished finished = host({"resume", "run", "--set", value, "--set", "train.steps=7"});
        expect_success(finished);
        expect_contains(finished.err, {words, "epoch 1 begins anew"});
        EXPECT_EQ(metadata_of(checkpoint("run")).at("batch"), "0");
        EXPECT_EQ(epoch_hashes("run").size(), 1U);
        std::filesystem::remove_all(folder() / "run");
    }
}

// The epoch's SHA-256 would combine both kinds of samples.
TEST_F(Resume, with_other_samples_tells_no_sha256_of_the_epoch) {
    write_tiny();
    const std::string longer =
        R"(data.train.map=[{ use = "motion_blur", from = "sharp", to = "blurred", length = 9, angle = 0 }])";
    train("other", {"--set", longer});
    train("run", {"--steps", "3"});
    const Finished finished = host({"resume", "run", "--set", longer, "--set", "train.steps=8"});
    expect_success(finished);
    EXPECT_EQ(count_of(finished.err, "the samples are not those that epoch 1 began with"), 1U) << finished.err;
    const auto expected = epoch_hashes("other");
    EXPECT_EQ(epoch_hashes("run"), decltype(expected)(expected.begin() + 1, expected.end()));
}

// There are 2 epochs of 4 steps, then one of 2 steps, then 2 of 1 step.
TEST_F(Resume, with_other_batches_ends_with_the_epoch_that_was_asked_for) {
    write_tiny();
    train("run");
    const auto go_on = [&](const char* batch, const char* epochs) {
        expect_success(host({"resume", "run", "--set", batch, "--set", epochs}));
        const auto metadata = metadata_of(checkpoint("run"));
        return "epoch " + metadata.at("epoch") + ", step " + metadata.at("step");
    };
    EXPECT_EQ(go_on("data.batch=8", "train.epochs=3"), "epoch 3, step 10");
    EXPECT_EQ(go_on("data.batch=16", "train.epochs=5"), "epoch 5, step 12");
}

TEST_F(Resume, of_a_finished_run_says_how_to_train_on) {
    write_tiny();
    train("steps", {"--steps", "3"});
    const Finished steps = host({"resume", "steps"});
    expect_success(steps);
    EXPECT_NE(steps.err.find("resume steps --set train.steps=6"), std::string::npos) << steps.err;
    train("epochs");
    const Finished epochs = host({"resume", "epochs"});
    EXPECT_NE(epochs.err.find("resume epochs --set train.epochs=4"), std::string::npos) << epochs.err;
    expect_success(host({"resume", "epochs", "--set", "train.epochs=4"}));
    EXPECT_EQ(metadata_of(checkpoint("epochs")).at("step"), "16");
}

TEST_F(Resume, of_a_finished_run_changes_nothing) {
    train_whole();
    const std::string saved = read_bytes(checkpoint("whole"));
    expect_success(host({"resume", "whole"}));
    EXPECT_EQ(read_bytes(checkpoint("whole")), saved);
    expect_each_epoch_once("whole");
}

// The earlier score belongs to other data or to another metric.
TEST_F(Resume, begins_the_best_anew_if_it_is_measured_otherwise) {
    write_tiny({{"epochs = 2", "epochs = 1"}, {"use = [\"psnr\"]", "use = [\"psnr\", \"ssim\"]"}});
    train("whole");
    ASSERT_TRUE(metadata_of(checkpoint("whole")).contains("best"));
    const auto resume = [&](const std::string& value, const std::string& epochs) {
        std::filesystem::remove_all(folder() / "run");
        std::filesystem::copy(folder() / "whole", folder() / "run", std::filesystem::copy_options::recursive);
        const Finished finished = host({"resume", "run", "--set", value, "--set", "train.epochs=" + epochs});
        expect_success(finished);
        return finished.err;
    };
    // A finished run trains no further: its last weights are evaluated once and become the best.
    for (const auto& [value, words] : std::vector<std::pair<std::string, std::string>>{
             {"data.validation.source.count=3", "([data.validation])"}, {"checkpoint.monitor=loss", "(the metric)"}}) {
        expect_contains(resume(value, "1"), {"W the measure of the best checkpoint has changed " + words +
                                                 ": the best one, of step 4, moves to checkpoints/left",
                                             "evaluate run/checkpoints/best.safetensors"});
        EXPECT_TRUE(std::filesystem::exists(checkpoint("run", "left/best")));
        const auto best = metadata_of(checkpoint("run", "best"));
        EXPECT_EQ(best.at("best_step"), "4");
        EXPECT_NE(best.at("best"), metadata_of(checkpoint("whole", "best")).at("best"));
        EXPECT_EQ(tensor_bytes_of(checkpoint("run", "best")), tensor_bytes_of(checkpoint("whole", "best")));
        EXPECT_EQ(lines_of(read_bytes(folder() / "run/metrics.csv")).size(), 2U);
    }
    // The earlier score, of psnr, was above any score of ssim.
    resume("checkpoint.monitor=ssim", "2");
    EXPECT_EQ(metadata_of(checkpoint("run", "best")).at("best_step"), "8");
    // With the same metric, the best checkpoint stays.
    EXPECT_EQ(resume("checkpoint.monitor=psnr", "2").find("the measure of the best checkpoint"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(checkpoint("run", "left/best")));
}

// The files have the same names but other contents.
TEST_F(Resume, begins_the_best_anew_if_the_validation_samples_have_changed) {
    write_tiny({{"epochs = 2", "epochs = 1"},
                {R"(source = { use = "dead_leaves", count = 4, size = [24, 32], split = "validation" })",
                 R"(source = { use = "image_pairs", blurred = "blurred", sharp = "sharp", split = "all" })"},
                {R"(map = [{ use = "motion_blur", from = "sharp", to = "blurred", length = 5, angle = 0 }])",
                 R"(map = [{ use = "decode" }])"}});
    const auto set_pictures = [&](int seed) {
        for (const char* const file : {"sharp/a.png", "blurred/a.png", "sharp/b.png", "blurred/b.png"}) {
            write(file, png_of(make_picture(32, 32, 3, ++seed)));
        }
    };
    set_pictures(0);
    train();
    ASSERT_EQ(metadata_of(checkpoint("run", "best")).at("best_step"), "4");
    EXPECT_EQ(host({"resume", "run", "--set", "train.epochs=2"}).err.find("have changed"), std::string::npos);
    const std::string best = metadata_of(checkpoint("run", "best")).at("best_step");
    set_pictures(7);
    const Finished changed = host({"resume", "run", "--set", "train.epochs=3"});
    expect_success(changed);
    expect_contains(changed.err, {"W the validation samples have changed since the best checkpoint, of step " + best +
                                  ", was measured: it moves to checkpoints/left"});
    EXPECT_EQ(metadata_of(checkpoint("run", "best")).at("best_step"), "12");
    EXPECT_EQ(metadata_of(checkpoint("run", "left/best")).at("step"), best);
    EXPECT_EQ(host({"resume", "run", "--set", "train.epochs=4"}).err.find("have changed"), std::string::npos);
    set_pictures(20);
    expect_success(host({"resume", "run", "--set", "train.epochs=5"}));
    EXPECT_EQ(metadata_of(checkpoint("run", "left/best")).at("step"), best)
        << "the older best checkpoint in `left` was replaced";
    EXPECT_TRUE(std::filesystem::exists(checkpoint("run", "left/best-2")));
}

TEST_F(Resume, says_what_a_change_does_that_counts_from_the_beginning) {
    write_tiny();
    train();
    const Finished finished = host({"resume", "run", "--set", "optimizer.rate=2e-3", "--set", "train.epochs=4", "--set",
                                    "data.train.source.count=12"});
    expect_success(finished);
    expect_contains(finished.err,
                    {"I optimizer.rate is 0.002, and schedule \"cosine\" continues where it is: the next step "
                     "has rate ",
                     "I train.epochs = 4 counts from the beginning of the run: 2 done, 2 left",
                     "W an epoch has 12 samples from epoch 3 on, and had 16 before"});
    const double logged_rate = std::stod(finished.err.substr(finished.err.find("has rate ") + 9));
    EXPECT_NEAR(logged_rate, 0.002 * 0.5 * (1 + std::cos(3.14159265 * 8 / 14)), 2e-5);
    const Finished plain = host({"resume", "run", "--set", "train.steps=14"});
    EXPECT_EQ(plain.err.find("counts from"), std::string::npos) << plain.err;
    EXPECT_EQ(plain.err.find("continues where"), std::string::npos) << plain.err;
}

TEST_F(Resume, needs_a_run_with_a_checkpoint) {
    expect_refused(host({"resume"}), 2, {"host resume"});
    expect_refused(host({"resume", "nowhere"}), 2, {"nowhere", "no such"});
    std::filesystem::create_directories(folder() / "bare/checkpoints");
    expect_refused(host({"resume", "bare"}), 2, {"bare", "no checkpoint"});
}

using SlowResume = Resume;

TEST_F(SlowResume, after_many_kills_ends_with_the_same_bytes) {
    train_whole();
    for (unsigned seed = 100; seed < 110; ++seed) {
        const std::string run = "killed_" + std::to_string(seed);
        kill_often(run, 6, seed);
        expect_same_end(run);
    }
}

}  // namespace
}  // namespace sluice::test
