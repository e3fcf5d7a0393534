// The run folder: its contents, its lock against a second run, and folders that cannot be used.
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <set>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

namespace fs = std::filesystem;

class RunFolder : public PipelineTest {
protected:
    RunFolder() { write_tiny(); }
};

TEST_F(RunFolder, holds_everything_of_a_run) {
    train();
    std::set<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder() / "run")) {
        if (entry.is_regular_file() && entry.path().filename() != ".lock") {
            files.insert(fs::relative(entry.path(), folder() / "run").string());
            EXPECT_GT(entry.file_size(), 0U) << entry.path();
        }
    }
    EXPECT_EQ(files, (std::set<std::string>{
                         "pipeline.toml", "resolved.toml", "environment.json", "log.txt", "plan.txt", "report.html",
                         "usage.csv", "metrics.csv", "events.jsonl", "batch_0.png", "samples/epoch_001.png",
                         "samples/epoch_002.png", "checkpoints/last.safetensors", "checkpoints/best.safetensors",
                         "checkpoints/step-00000004.safetensors", "checkpoints/step-00000008.safetensors"}));
    EXPECT_EQ(read_bytes(folder() / "run/pipeline.toml"), read_bytes(folder() / "tiny.toml"));
}

TEST_F(RunFolder, files_are_what_their_names_say) {
    train();
    EXPECT_TRUE(nlohmann::json::parse(read_bytes(folder() / "run/environment.json")).contains("sluice"));
    std::multiset<std::string> kinds;
    for (const std::string& line : lines_of(read_bytes(folder() / "run/events.jsonl"))) {
        kinds.insert(nlohmann::json::parse(line).at("kind").get<std::string>());
    }
    EXPECT_EQ(kinds.count("run_begin"), 1U);
    EXPECT_EQ(kinds.count("epoch_end"), 2U);
    EXPECT_EQ(kinds.count("evaluation"), 2U);
    EXPECT_EQ(kinds.count("checkpoint"), 2U);
    EXPECT_EQ(kinds.count("run_end"), 1U);
    const std::string table = read_bytes(folder() / "run/metrics.csv");
    EXPECT_EQ(count_of(table, "\n"), 3U) << table;
}

// resolved.toml is a complete pipeline that trains the same.
TEST_F(RunFolder, resolved_pipeline_trains_the_same) {
    train();
    expect_success(host({"train", "run/resolved.toml", "--run-folder", "again"}));
    EXPECT_TRUE(read_bytes(checkpoint("run")) == read_bytes(checkpoint("again")));
}

TEST_F(RunFolder, keeps_as_many_checkpoints_as_asked) {
    train("run", {"--set", "train.epochs=5", "--set", "checkpoint.keep=3"});
    std::set<std::string> numbered;
    for (const auto& entry : fs::directory_iterator(folder() / "run/checkpoints")) {
        numbered.insert(entry.path().stem().string());
    }
    EXPECT_EQ(numbered, (std::set<std::string>{"best", "last", "step-00000012", "step-00000016", "step-00000020"}));
}

TEST_F(RunFolder, is_numbered_by_itself) {
    expect_success(host({"--pipeline", "tiny.toml", "--quiet"}));
    expect_success(host({"--pipeline", "tiny.toml", "--quiet"}));
    expect_success(host({"--pipeline", "tiny.toml", "--quiet", "--runs", "elsewhere"}));
    for (const char* run : {"runs/tiny-001", "runs/tiny-002", "elsewhere/tiny-001"}) {
        EXPECT_TRUE(fs::exists(folder() / run / "checkpoints/last.safetensors")) << run;
    }
}

TEST_F(RunFolder, that_is_not_empty_is_left_alone) {
    write("mine/diary.txt", "dear diary");
    expect_refused(host({"train", "tiny.toml", "--run-folder", "mine"}), 2, {"mine", "not empty", "host resume mine"});
    EXPECT_EQ(std::distance(fs::directory_iterator(folder() / "mine"), fs::directory_iterator()), 1);
}

TEST_F(RunFolder, of_a_live_run_is_locked) {
    write_tiny({{"epochs = 2", "epochs = 1000000"}});
    HostProcess process({"train", "tiny.toml", "--run-folder", "run"}, process_options());
    ASSERT_TRUE(process.wait_for_file(checkpoint()));
    expect_refused(host({"resume", "run"}), 2, {"run", "another run is alive"});
    process.send(SIGINT);
    const Finished finished = process.finish();
    EXPECT_EQ(finished.exit, 130) << finished.err;
}

TEST_F(RunFolder, that_cannot_be_written) {
    expect_refused(host({"train", "tiny.toml", "--run-folder", "tiny.toml/run"}), 8, {"tiny.toml/run", "--run-folder"});
    expect_refused(host({"train", "tiny.toml", "--run-folder", "/proc/run"}), 8, {"/proc/run", "--run-folder"});
    expect_refused(host({"train", "tiny.toml", "--runs", "tiny.toml"}), 8, {"tiny.toml"});
    expect_refused(host({"train", "tiny.toml", "--runs", "/proc"}), 8, {"/proc"});
}

TEST_F(RunFolder, without_the_right_to_write) {
    if (::geteuid() == 0) {
        GTEST_SKIP() << "permissions do not bind root";
    }
    fs::create_directories(folder() / "locked");
    ::chmod((folder() / "locked").c_str(), 0500);
    expect_refused(host({"train", "tiny.toml", "--runs", "locked"}), 8, {"locked", "Permission denied"});
}

}  // namespace
}  // namespace sluice::test
