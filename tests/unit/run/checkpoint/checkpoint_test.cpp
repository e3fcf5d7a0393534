// Checkpoints: they hold the kernel tuning choices of a run, and wrong metadata is reported.
#include "run/checkpoint/checkpoint.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "data/loader/epoch_digest.hpp"
#include "run/checkpoint/safetensors.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

TEST(RunCheckpoint, holds_what_kernels_measured) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("sluice_choices_" + std::to_string(::getpid()) + ".safetensors");
    const PlanBench saving;
    run::Replica replica(saving.spec, saving.tools, nullptr, saving.fields, 2);
    saving.tools.choices->remember("fake", "conv 3x3", "fast");
    run::save_checkpoint(file, saving.spec, {}, replica);

    const PlanBench resuming({"device.measure=false"});
    EXPECT_FALSE(resuming.tools.choices->may_measure());
    EXPECT_EQ(resuming.tools.choices->recall("fake", "conv 3x3"), "");
    resuming.tools.choices->restore(run::inspect_checkpoint(file).choices);
    EXPECT_EQ(resuming.tools.choices->recall("fake", "conv 3x3"), "fast");
    std::filesystem::remove(file);
}

// The checksum is right, because another program or an attacker may have written the file.
TEST(RunCheckpoint, says_what_is_wrong_in_its_metadata) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("sluice_metadata_" + std::to_string(::getpid()) + ".safetensors");
    const PlanBench saving;
    run::Replica replica(saving.spec, saving.tools, nullptr, saving.fields, 2);
    run::Progress progress;
    progress.step = 13;
    progress.epoch = 3;
    progress.batch = 1;
    progress.epoch_batches = 4;
    progress.best = 0.25;
    progress.best_step = 12;
    progress.validation_sha256 = std::string(64, '0');
    progress.loader_state = {.digest_state = data::EpochDigest().state(), .digested = 1, .bad_samples = {2, 7}};
    progress.data = {.order = "16: 1 2", .batches = 1, .sha256 = std::string(64, 'a')};
    progress.loss_scale = {.value = 1024.0, .good_steps = 3, .skips_in_row = 0, .skipped = 1};
    progress.class_names = {{"label", {"cat", "dog"}}};
    run::save_checkpoint(file, saving.spec, progress, replica);
    EXPECT_EQ(run::inspect_checkpoint(file).progress.class_names, progress.class_names);
    EXPECT_EQ(run::inspect_checkpoint(file).progress.loader_state.bad_samples, progress.loader_state.bad_samples);
    const std::map<std::string, std::string> right = run::read_safetensors(file).metadata;

    const std::pair<const char*, std::vector<const char*>> wrong[] = {
        {"step", {"", "x", "-1", "1.5", " 13", "13 ", "99999999999999999999", "9223372036854775807", "2"}},
        {"epoch", {"", "14", "1e3"}},
        {"batch", {"", "5", "1616"}},
        {"epoch_batches", {"", "0", "9223372036854775807"}},
        {"epoch_loss_sum", {"", "x", "nan"}},
        {"epoch_loss_weight", {"-1", "inf"}},
        {"owes_evaluation", {"", "2", "x", "-1"}},
        {"best", {"", "x", "nan", "inf", "-inf"}},
        {"best_step", {"", "14"}},
        {"validation_sha256", {"", "abc"}},
        {"plateau_waited", {"-1"}},
        {"plateau_scale", {"half", "-1", "0", "inf"}},
        {"data_digest", {"", "zz", "00"}},
        {"data_digest_batches", {"2"}},
        {"data_beginning", {"", "one abc", "1", "0 x"}},
        {"bad_samples", {"2 x"}},
        {"class_names", {"", "cat", "[]", R"({"label":[]})", R"({"label":["cat",""]})", R"({"label":[1]})"}},
        {"loss_scale", {""}},
        {"skipped_steps", {"14"}},
        {"format", {"sluice-checkpoint/2"}}};
    for (const auto& [key, texts] : wrong) {
        for (const char* const text : texts) {
            std::map<std::string, std::string> metadata = right;
            metadata[key] = text;
            run::write_safetensors(file, metadata, {});
            try {
                run::inspect_checkpoint(file);
                ADD_FAILURE() << key << " = " << text;
            } catch (const Error& error) {
                EXPECT_EQ(error.exit(), Exit::config);
                const std::string message = error.what();
                EXPECT_NE(message.find(file.string()), std::string::npos) << message;
                EXPECT_NE(message.find("it must be"), std::string::npos) << message;
            }
        }
    }
    std::filesystem::remove(file);
}

}  // namespace
}  // namespace sluice::test
