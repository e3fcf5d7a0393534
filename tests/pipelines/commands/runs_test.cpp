// The table of runs.
#include <nlohmann/json.hpp>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Runs : public PipelineTest {};

TEST_F(Runs, lists_state_progress_and_best_score) {
    write_tiny({kEveryStep});
    expect_success(host({"train", "tiny.toml", "--run-folder", "runs/whole", "--set", "train.epochs=2"}));
    expect_success(host({"train", "tiny.toml", "--run-folder", "runs/part", "--steps", "1"}));
    const Finished table = host({"runs"});
    expect_success(table);
    expect_contains(table.out, {"whole  finished", "100 %  epoch 2/2", "part", "samples/s"});
    const Finished listed = host({"runs", "--json"});
    expect_success(listed);
    const nlohmann::json runs = nlohmann::json::parse(listed.out);
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0]["name"], "part");
    EXPECT_EQ(runs[0]["step"], 1);
    const nlohmann::json& whole = runs[1];
    EXPECT_EQ(whole["state"], "finished");
    EXPECT_EQ(whole["step"], whole["steps"]);
    const std::map<std::string, std::string> best = metadata_of(folder() / "runs/whole/checkpoints/best.safetensors");
    EXPECT_EQ(std::to_string(whole["best"]["step"].get<int>()), best.at("best_step"));
    EXPECT_NEAR(whole["best"]["value"].get<double>(), std::stod(best.at("best")), 1e-9);
}

TEST_F(Runs, of_a_killed_run_say_how_it_goes_on) {
    write("runs/left/events.jsonl",
          "{\"kind\":\"run_begin\",\"epoch\":1,\"step\":0,\"seconds\":0,\"text\":\"\",\"scalars\":{\"steps\":8,"
          "\"epochs\":2}}\n");
    const Finished finished = host({"runs"});
    expect_success(finished);
    expect_contains(finished.out, {"left  killed", "0 %  epoch 1/2", "resume runs/left", "was killed"});
}

TEST_F(Runs, are_named_without_control_characters) {
    write("runs/\033[31mred/resolved.toml", "");
    const Finished finished = host({"runs"});
    expect_success(finished);
    expect_contains(finished.out, {"\\u001b[31mred"});
    EXPECT_EQ(finished.out.find('\033'), std::string::npos);
}

TEST_F(Runs, need_a_folder) {
    expect_refused(host({"runs", "missing"}), 2, {"missing: there is no such folder of runs"});
    std::filesystem::create_directory(folder() / "empty");
    const Finished finished = host({"runs", "empty"});
    expect_success(finished);
    expect_contains(finished.out, {"there is no run in this folder"});
}

}  // namespace
}  // namespace sluice::test
