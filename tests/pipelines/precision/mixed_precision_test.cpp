// Whole runs under precision policies.
#include <cmath>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class MixedPrecision : public PipelineTest {
protected:
    // Returns the loss of each step of a run.
    [[nodiscard]] std::vector<double> losses(const std::string& run) const {
        std::vector<double> all;
        for (const auto& step : steps(run)) {
            all.push_back(step.at("loss"));
        }
        return all;
    }
};

TEST_F(MixedPrecision, follows_the_losses_of_float32) {
    write_tiny({kEveryStep});
    train("float32");
    const std::vector<double> right = losses("float32");
    ASSERT_EQ(right.size(), 8U);
    for (const char* policy : {"mixed_bfloat16", "mixed_float16"}) {
        train(policy, {"--set", std::string("precision.use=") + policy});
        const std::vector<double> found = losses(policy);
        ASSERT_EQ(found.size(), right.size());
        EXPECT_NE(found, right) << "the policy rounded nothing";
        for (std::size_t i = 0; i < right.size(); ++i) {
            EXPECT_NEAR(found[i], right[i], 0.02 * right[i]) << policy << ", step " << i;
        }
    }
}

// A checkpoint holds float32 numbers under every policy, so that each policy can read it.
TEST_F(MixedPrecision, checkpoints_are_evaluated_and_resumed) {
    write_tiny();
    train("whole", {"--set", "precision.use=mixed_bfloat16"});
    train("part", {"--set", "precision.use=mixed_bfloat16", "--steps", "5"});
    expect_success(host({"resume", "part", "--set", "train.steps=8"}));
    EXPECT_EQ(tensors_of(checkpoint("part")), tensors_of(checkpoint("whole")));
    EXPECT_TRUE(std::isfinite(scores(checkpoint("whole")).at("psnr")));
}

TEST_F(MixedPrecision, by_a_policy_from_elsewhere) {
    write_tiny();
    const std::vector<std::string> own{"--plugin", SLUICE_TEST_OWN_POLICY_DIR,
                                       "--set",    "precision.use=test_convolutions",
                                       "--set",    "precision.except=_2"};
    train("run", own);
    const std::string planned = expect_output(joined({"plan", "tiny.toml", "--precision"}, own));
    std::size_t low = 0;
    for (const std::string& line : lines_of(planned.substr(planned.find("category")))) {
        const bool is_low = line.find(" bfloat16 ") != std::string::npos && line.find(" cast ") == std::string::npos;
        low += is_low ? 1 : 0;
        EXPECT_TRUE(!is_low || line.find(" conv2d ") != std::string::npos) << line;
        EXPECT_TRUE(!is_low || line.find("conv2d_2 ") == std::string::npos) << line;
    }
    EXPECT_GE(low, 1U) << planned;
}

// Storage and arithmetic are two choices: values stored in bfloat16 are multiplied in it only if the policy says so.
TEST_F(MixedPrecision, stores_and_computes_as_a_policy_says) {
    write_tiny();
    const std::string planned =
        expect_output({"plan", "tiny.toml", "--precision", "--plugin", SLUICE_TEST_OWN_POLICY_DIR, "--set",
                       "precision.use=test_convolutions", "--set", "precision.compute=float32"},
                      {"bfloat16 by float32"});
    std::size_t convolutions = 0;
    for (const std::string& line : lines_of(planned)) {
        if (line.find(" fwd ") != std::string::npos) {
            ++convolutions;
            EXPECT_NE(line.find(", rounded"), std::string::npos) << line;
        }
    }
    EXPECT_GE(convolutions, 1U) << planned;
}

}  // namespace
}  // namespace sluice::test
