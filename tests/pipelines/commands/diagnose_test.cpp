// `host diagnose`: a verdict from trainings by turns; and `host diagnose precision`, which runs the same steps in
// float32 and in fewer bits, and compares them.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class DiagnosePrecision : public PipelineTest {
protected:
    [[nodiscard]] nlohmann::json diagnose(const std::vector<std::string>& more) const {
        std::vector<std::string> arguments = joined({"diagnose", "precision", "tiny.toml", "--json"}, more);
        if (std::ranges::find(more, "--steps") == more.end()) {
            arguments.insert(arguments.end(), {"--steps", "6"});
        }
        return nlohmann::json::parse(expect_output(arguments));
    }

    static const nlohmann::json& layer_of(const nlohmann::json& trial, const std::string& path) {
        for (const nlohmann::json& layer : trial.at("layers")) {
            if (layer.at("path") == path) {
                return layer;
            }
        }
        throw std::runtime_error("no layer " + path);
    }
};

// The float32 side computes the same as a training in float32, and the other side the same as a training with the
// policy.
TEST_F(DiagnosePrecision, takes_the_steps_of_training) {
    write_tiny({kEveryStep});
    const nlohmann::json trial = diagnose({"--policy", "mixed_float16"});
    for (const auto& [side, policy] : {std::pair{"float32", "float32"}, std::pair{"mixed", "mixed_float16"}}) {
        train(side, {"--steps", "6", "--set", std::string("precision.use=") + policy});
        const std::string events = read_bytes(folder() / side / "events.jsonl");
        ASSERT_EQ(trial.at(side).size(), 6U);
        for (const nlohmann::json& step : trial.at(side)) {
            EXPECT_NE(events.find("\"loss\":" + step.at("loss").dump() + ","), std::string::npos) << step << events;
            EXPECT_GT(step.at("gradient_norm"), 0.0);
        }
    }
    EXPECT_EQ(trial.at("policy"), "mixed_float16");
    EXPECT_EQ(trial.at("loss_scale"), 32768.0);
    EXPECT_GT(trial.at("policy_step_seconds"), 0.0);
}

// Only 3 of the 6 steps are timed.
TEST_F(DiagnosePrecision, does_not_judge_the_speed_of_few_steps) {
    write_tiny();
    const nlohmann::json few = diagnose({"--policy", "mixed_bfloat16"});
    EXPECT_EQ(few.at("timed_steps"), 3);
    EXPECT_TRUE(few.at("speed_ratio").is_null());
    EXPECT_TRUE(few.at("is_faster").is_null());
    const nlohmann::json enough = diagnose({"--policy", "mixed_bfloat16", "--steps", "8"});
    EXPECT_EQ(enough.at("timed_steps"), 5);
    EXPECT_GT(enough.at("speed_ratio"), 0.0);
    EXPECT_TRUE(enough.at("is_faster").is_boolean());
}

// Skipped steps have no optimizer step, so their time cannot be compared.
TEST_F(DiagnosePrecision, does_not_time_steps_that_are_skipped) {
    write_tiny();
    const nlohmann::json trial = diagnose(
        {"--set", R"(precision={ use = "mixed_float16", loss_scale = "static", scale = 1e12 })", "--steps", "8"});
    EXPECT_EQ(trial.at("mixed").size(), 8U);
    EXPECT_TRUE(trial.at("mixed").back().at("skipped"));
    EXPECT_EQ(trial.at("timed_steps"), 0);
    EXPECT_TRUE(trial.at("is_faster").is_null());
}

// The network is that of LossScale.lets_float16_train_if_gradients_would_be_0.
TEST_F(DiagnosePrecision, finds_where_gradients_are_lost) {
    write_tiny({{"factor = 0.1", "factor = 1e-4"},
                {"{ type = \"relu\" }", "{ type = \"relu\" }, { type = \"scale\", factor = 1e3 }"},
                {"  { type = \"batch_norm\" },\n", ""},
                {"  { type = \"dropout\", rate = 0.1 },\n", ""}});
    const nlohmann::json lost = diagnose({"--set", R"(precision={ use = "mixed_float16", loss_scale = "none" })"});
    const nlohmann::json last = layer_of(lost, "conv2d_2");
    EXPECT_EQ(last.at("stored"), "float16");
    EXPECT_EQ(last.at("gradients").at("underflow").at("share"), 1.0);
    EXPECT_EQ(last.at("parameter_gradients").at("underflow").at("share"), 1.0);
    EXPECT_LT(last.at("gradients").at("float32").at("largest"), 6e-8);
    EXPECT_EQ(last.at("gradients").at("policy").at("largest"), 0.0);
    EXPECT_EQ(lost.at("loss_scale"), 0.0);

    const nlohmann::json scaled = diagnose({"--set", R"(precision={ use = "mixed_float16" })"});
    EXPECT_LT(layer_of(scaled, "conv2d_2").at("gradients").at("underflow").at("share"), 0.01);
    EXPECT_LT(layer_of(scaled, "conv2d_2").at("parameter_gradients").at("underflow").at("share"), 0.01);
}

TEST_F(DiagnosePrecision, says_it_for_people) {
    write_tiny();
    expect_output({"diagnose", "precision", "tiny.toml", "--policy", "mixed_bfloat16", "--steps", "5"},
                  {"mixed_bfloat16, against float32", "differs by at most", "conv2d_2", "ms a step",
                   "2 steps are too few to say which is faster"});
    EXPECT_FALSE(std::filesystem::exists(folder() / "runs"));
}

// --policy sets precision.use, and keeps the other options of the policy that --set gives.
TEST_F(DiagnosePrecision, keeps_the_options_of_the_policy) {
    write_tiny();
    EXPECT_EQ(diagnose({"--policy", "mixed_float16"}).at("loss_scale"), 32768.0);
    EXPECT_EQ(diagnose({"--policy", "mixed_float16", "--set", "precision.loss_scale=none"}).at("loss_scale"), 0.0);
    expect_refused(
        host({"diagnose", "precision", "tiny.toml", "--policy", "mixed_float16", "--set", "precision.nonsense=1e9"}), 2,
        {"--set precision.nonsense=1e9", "nonsense"});
    expect_refused(host({"diagnose", "precision", "tiny.toml", "--policy", "mixed_float"}), 2,
                   {"--policy mixed_float:", "did you mean 'mixed_float16'"});
}

TEST_F(DiagnosePrecision, needs_something_to_compare) {
    write_tiny();
    expect_refused(host({"diagnose", "precision", "tiny.toml"}), 2, {"float32", "--policy"});
    expect_refused(host({"diagnose", "precision", "tiny.toml", "--policy", "auto"}), 2, {"auto", "--policy"});
    expect_refused(host({"diagnose", "precision", "tiny.toml", "--steps", "2"}), 2, {"--steps is 2"});
}

class Diagnose : public PipelineTest {};
class SlowDiagnose : public PipelineTest {};

// The training evaluates after each step, which takes as long as the step.
TEST_F(SlowDiagnose, names_what_takes_the_time_and_writes_the_remedy) {
    write_tiny();
    const auto found = nlohmann::json::parse(
        expect_output({"diagnose", "tiny.toml", "--json", "--budget", "24s", "--write", "fixed.toml", "--set",
                       "evaluate.every=\"1 steps\"", "--set", "data.workers=1"}));
    ASSERT_FALSE(found.at("findings").empty());
    std::vector<std::string> causes;
    for (const nlohmann::json& finding : found.at("findings")) {
        causes.push_back(finding.at("cause"));
    }
    EXPECT_TRUE(std::ranges::any_of(causes, [](const std::string& cause) {
        return cause == "evaluation" || cause == "validation data";
    })) << found.dump(2);
    EXPECT_GT(found.at("findings").at(0).at("without").at("gain"), 0.03);
    EXPECT_FALSE(found.at("evidence").at("results").empty());
    EXPECT_NE(read_bytes(folder() / "fixed.toml").find("include = \"tiny.toml\""), std::string::npos);
    expect_success(host({"plan", "fixed.toml"}));
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
        EXPECT_FALSE(entry.path().filename().string().starts_with(".diagnose")) << entry.path();
    }
    expect_refused(host({"diagnose", "tiny.toml", "--write", "fixed.toml"}), 2, {"fixed.toml", "exists"});
}

TEST_F(SlowDiagnose, starts_from_the_checkpoint_of_a_run_and_writes_a_chapter_of_its_page) {
    write_tiny();
    train("run");
    const std::string before = read_bytes(checkpoint("run"));
    const std::string events = read_bytes(folder() / "run/events.jsonl");
    const auto found = nlohmann::json::parse(expect_output({"diagnose", "run", "--json", "--budget", "24s"}));
    EXPECT_FALSE(found.at("verdict").get<std::string>().empty());
    EXPECT_EQ(read_bytes(checkpoint("run")), before);
    EXPECT_EQ(read_bytes(folder() / "run/events.jsonl"), events);
    EXPECT_EQ(nlohmann::json::parse(read_bytes(folder() / "run/diagnosis.json")), found);
    EXPECT_NE(read_bytes(folder() / "run/report.html").find("Experiments"), std::string::npos);
}

TEST_F(Diagnose, refuses_a_run_that_is_alive_or_has_no_checkpoint) {
    write_tiny({{"epochs = 2", "epochs = 100000"}});
    {
        HostProcess alive({"train", "tiny.toml", "--run-folder", "alive"}, process_options());
        ASSERT_TRUE(alive.wait_for_file(folder() / "alive/checkpoints/last.safetensors"));
        expect_refused(host({"diagnose", "alive"}), 2, {"alive: the run is alive", "--beside"});
    }
    std::filesystem::remove_all(folder() / "alive/checkpoints");
    std::filesystem::create_directory(folder() / "alive/checkpoints");
    expect_refused(host({"diagnose", "alive"}), 2, {"has no checkpoint yet", "alive/pipeline.toml"});
    expect_refused(host({"diagnose", "tiny.toml", "--beside"}), 2, {"--beside is for the folder of a run"});
    std::filesystem::create_directory(folder() / "empty");
    expect_refused(host({"diagnose", "empty"}), 2, {"empty"});
}

TEST_F(Diagnose, reports_why_a_training_does_not_run) {
    write_tiny();
    expect_refused(host({"diagnose", "tiny.toml", "--set", "data.train.source.use=photos", "--set",
                         "data.train.source.folder=absent"}),
                   2, {"the training cannot be diagnosed, since it does not run", "absent"});
}

TEST_F(Diagnose, refuses_wrong_budgets_and_words) {
    write_tiny();
    for (const std::string budget : {"5s", "soon", "3 weeks", "nan", ""}) {
        expect_refused(host({"diagnose", "tiny.toml", "--budget", budget.empty() ? "-1" : budget}), 2,
                       {"--budget is", "20 s"});
    }
    expect_refused(host({"diagnose"}), 2, {"give one pipeline"});
    expect_refused(host({"diagnose", "network", "tiny.toml"}), 2, {"give one pipeline"});
    expect_refused(host({"diagnose", "precision", "tiny.toml", "--write", "a.toml"}), 2,
                   {"--write is an option of", "diagnose FILE"});
    expect_refused(host({"diagnose", "tiny.toml", "--steps", "9"}), 2, {"--steps is an option of", "precision"});
    expect_refused(host({"diagnose", "tiny.toml", "--write", "absent/a.toml"}), 2,
                   {"--write absent/a.toml", "absent", "cannot be written"});
}

}  // namespace
}  // namespace sluice::test
