// The policy `auto`: it is measured before the first step, logged, and kept when a run is resumed.
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class AutoPrecision : public PipelineTest {
protected:
    AutoPrecision() { write_tiny({{"[train]\n", "[precision]\nuse = \"auto\"\n\n[train]\n"}}); }

    // Returns the part of the log that looks like "precision auto: float32 (float32 1.2 ms, ...)".
    static std::string policy_line(const std::string& log) {
        const std::size_t at = log.find("precision auto: float32 (") != std::string::npos
                                   ? log.find("precision auto: float32 (")
                                   : log.find("precision auto: mixed_bfloat16 (");
        EXPECT_NE(at, std::string::npos) << log;
        return at == std::string::npos ? "" : log.substr(at, log.find('\n', at) - at);
    }
};

TEST_F(AutoPrecision, is_kept_by_a_resumed_run) {
    const std::string first = policy_line(train("run", {"--steps", "3"}).err);
    EXPECT_NE(first.find(" ms, mixed_bfloat16 "), std::string::npos) << first;
    const std::string choices = metadata_of(checkpoint()).at("choices");
    std::filesystem::remove_all(folder() / ".cache");
    const Finished resumed = host({"resume", "run", "--set", "train.steps=8"});
    expect_success(resumed);
    EXPECT_EQ(policy_line(resumed.err), first);  // equal times show that nothing was measured again
    EXPECT_EQ(metadata_of(checkpoint()).at("choices"), choices);
}

TEST_F(AutoPrecision, of_single_layers) {
    write_tiny({{"[train]\n", "[precision.layers]\n\"conv2d*\" = \"auto\"\n\n[train]\n"}});
    const std::string first = policy_line(train("run", {"--steps", "3"}).err);
    EXPECT_EQ(policy_line(host({"resume", "run", "--set", "train.steps=8"}).err), first);
    expect_success(host({"evaluate", checkpoint()}));
}

TEST_F(AutoPrecision, is_shared_by_later_runs_and_by_plan) {
    const std::string first = policy_line(train("run", {"--steps", "0"}).err);
    EXPECT_EQ(policy_line(train("again", {"--steps", "0"}).err), first);
    expect_output({"plan", "tiny.toml"}, {"precision   " + first.substr(10)});
}

TEST_F(AutoPrecision, is_evaluated_as_it_was_trained) {
    const auto only = [](const std::string& policy) { return "precision.candidates=[\"" + policy + "\"]"; };
    train("run", {"--set", only("mixed_bfloat16")});
    EXPECT_EQ(metadata_of(checkpoint()).at("chosen_policy"), "mixed_bfloat16");
    const auto evaluated = [&](const std::vector<std::string>& more) {
        return expect_output(joined({"evaluate", checkpoint(), "--json"}, more));
    };
    const std::string as_trained = evaluated({});
    // The checkpoint's choice is ignored if the candidates do not contain it.
    const std::string in_float32 = evaluated({"--set", only("float32")});
    EXPECT_NE(as_trained, in_float32);

    write_tiny({{"[train]\n", "[precision]\nuse = \"mixed_bfloat16\"\n\n[train]\n"}});
    EXPECT_EQ(evaluated({"--pipeline", "tiny.toml"}), as_trained);
    write_tiny();
    EXPECT_EQ(evaluated({"--pipeline", "tiny.toml"}), in_float32);
}

TEST_F(AutoPrecision, is_float32_if_nothing_may_be_measured) {
    EXPECT_NE(policy_line(train("run", {"--set", "device.measure=false"}).err).find("float32 (nothing is measured"),
              std::string::npos);
    write_tiny();
    train("float32", {"--set", "device.measure=false"});
    EXPECT_EQ(tensors_of(checkpoint()), tensors_of(checkpoint("float32")));
}

}  // namespace
}  // namespace sluice::test
