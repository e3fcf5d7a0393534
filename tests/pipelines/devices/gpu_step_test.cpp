// Steps on an asynchronous device equal those of the CPU: losses, clipping, averages, loss scale and skipped steps are
// the same. Captured or not, steps give the same bits. The tests are skipped if SLUICE_TEST_DEVICE names no device.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class GpuStep : public PipelineTest {
protected:
    void SetUp() override {
        if (std::getenv("SLUICE_TEST_DEVICE") == nullptr) {
            GTEST_SKIP() << "SLUICE_TEST_DEVICE names no device";
        }
    }

    // Trains the same steps on the device and with `reference` on the CPU, and compares the scalars `keys`.
    void expect_same_steps(const Replacements& replacements, const std::vector<std::string>& keys, double tolerance,
                           const std::vector<std::string>& more = {}) {
        write_tiny(joined({kEveryStep}, replacements));
        train("gpu", more);
        train("cpu", joined({"--set", "device.use=cpu", "--set", "device.kernels=reference"}, more));
        expect_near_steps(keys, tolerance);
    }

    // Compares the steps of the runs "gpu" and "cpu".
    void expect_near_steps(const std::vector<std::string>& keys, double tolerance) {
        const auto gpu = steps("gpu");
        const auto cpu = steps("cpu");
        ASSERT_EQ(gpu.size(), cpu.size());
        ASSERT_GE(gpu.size(), 4U);
        for (std::size_t i = 0; i < gpu.size(); ++i) {
            for (const std::string& key : keys) {
                EXPECT_NEAR(gpu[i].at(key), cpu[i].at(key), tolerance * std::abs(cpu[i].at(key)))
                    << key << " of step " << i + 1;
            }
        }
    }

    // Compares every tensor of both checkpoints, also the running statistics.
    void expect_same_bits(const std::string& one, const std::string& other) {
        EXPECT_EQ(tensors_of(checkpoint(one)), tensors_of(checkpoint(other)));
    }
};

TEST_F(GpuStep, is_that_of_the_cpu) { expect_same_steps({}, {"loss", "rate", "samples"}, 1e-4); }

TEST_F(GpuStep, accumulates_clips_and_averages_as_on_the_cpu) {
    expect_same_steps(
        {{"rate = 1e-3", "rate = 1e-3\nclip_norm = 0.05"}, {"epochs = 2", "epochs = 4\naccumulate = 3\nema = 0.9"}},
        {"loss", "gradient_norm"}, 1e-3);
    const auto gpu = tensors_of(checkpoint("gpu"));
    for (const auto& [name, values] : tensors_of(checkpoint("cpu"))) {
        if (name.starts_with("average/")) {
            ASSERT_TRUE(gpu.contains(name)) << name;
            for (std::size_t i = 0; i < values.size(); ++i) {
                EXPECT_NEAR(gpu.at(name)[i], values[i], 2e-3) << name;
            }
        }
    }
}

TEST_F(GpuStep, in_16_bits_is_near_that_of_the_cpu) {
    expect_same_steps({}, {"loss"}, 0.03, {"--set", "precision.use=mixed_bfloat16"});
}

// The device's kernels store one type, so the model's float32 output is a cast of what the last layer stores.
TEST_F(GpuStep, in_16_bits_may_end_with_a_convolution) {
    const std::string last_layers =
        "  { type = \"scale\", factor = 0.1 },\n  { type = \"add\", inputs = [\"input\", \"previous\"] },\n";
    expect_same_steps({{last_layers, ""}}, {"loss"}, 0.03, {"--set", "precision.use=mixed_bfloat16"});
}

// The scale is too large at first. cuDNN stores the gradients of weights in 16 bits, so they overflow sooner than on
// the CPU.
TEST_F(GpuStep, halves_the_scale_if_gradients_overflow) {
    constexpr double kFirst = 16777216.0;
    write_tiny({kEveryStep, {"  { type = \"dropout\", rate = 0.1 },\n", ""}});
    train("gpu", {"--set", R"(precision={ use = "mixed_float16", scale = 16777216 })"});
    const auto all = steps("gpu");
    ASSERT_EQ(all.size(), 8U);
    for (const auto& step : all) {
        EXPECT_EQ(step.at("loss_scale"), kFirst / std::exp2(step.at("skipped_steps")));
        EXPECT_TRUE(std::isfinite(step.at("loss")));
    }
    EXPECT_GT(all.back().at("skipped_steps"), 0.0);
    EXPECT_LT(all.back().at("skipped_steps"), 8.0);
    for (const auto& [name, values] : tensors_of(checkpoint("gpu"))) {
        EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); }))
            << name;
    }
}

// The installed network is trained on small pictures. The device adds in another order, and each update carries the
// difference on.
TEST_F(GpuStep, of_deblurring_are_those_of_the_cpu) {
    const std::string blur = R"({ use = "motion_blur", from = "sharp", to = "blurred", length = 9, angle = 0 })";
    for (const auto& [run, device] :
         {std::pair<std::string, std::string>{"gpu", std::getenv("SLUICE_TEST_DEVICE")}, {"cpu", "cpu"}}) {
        std::vector<std::string> words{"train", "deblur.toml", "--run-folder", run, "--steps", "20"};
        for (const std::string& setting :
             {"device.use=" + device, std::string("data.batch=4"), std::string("data.train.source.size=[32,32]"),
              "data.train.map=[" + blur + "]", "data.validation.map=[" + blur + "]",
              std::string("data.validation.source.size=[32,32]"), std::string("data.validation.source.count=4"),
              std::string(R"(observe.use=[{ use = "metrics", every_steps = 1 }])")}) {
            words.insert(words.end(), {"--set", setting});
        }
        expect_success(host(words));
    }
    ASSERT_EQ(steps("gpu").size(), 20U);
    expect_near_steps({"loss"}, 2e-3);
}

TEST_F(GpuStep, recorded_or_not_gives_the_same_bits) {
    write_tiny({kEveryStep, {"epochs = 2", "epochs = 4\naccumulate = 3\nema = 0.9"}});
    train("recorded");
    train("plain", {"--set", "device.record=false"});
    expect_same_bits("recorded", "plain");
    EXPECT_EQ(read_bytes(folder() / "recorded/log.txt").find("not captured"), std::string::npos);
}

// In the second network, a layer that adds zeros also reads the dropout's output, which therefore has to be in memory.
TEST_F(GpuStep, of_layers_in_one_pass_has_the_bits_of_those_by_themselves) {
    const Replacements named{
        kEveryStep,
        {"filters = 6, kernel = 3", "filters = 8, kernel = 3"},
        {"type = \"dropout\", rate = 0.1", "name = \"dropped\", type = \"dropout\", rate = 0.3"},
        {"inputs = [\"input\", \"previous\"]", "name = \"sum\", inputs = [\"input\", \"previous\"]"}};
    write_tiny(named);
    train("together");
    EXPECT_NE(host({"plan", "tiny.toml"}).out.find("layers with margins"), std::string::npos);
    Replacements apart = named;
    apart.emplace_back("  { type = \"add\", name = \"sum\", inputs = [\"input\", \"previous\"] },\n", R"(
  { type = "add", name = "sum", inputs = ["input", "previous"] },
  { type = "conv2d", inputs = ["dropped"], filters = 3, kernel = 1, bias = false },
  { type = "scale", factor = 0.0 },
  { type = "add", inputs = ["sum", "previous"] },
)");
    write_tiny(apart);
    train("apart");
    EXPECT_EQ(host({"plan", "tiny.toml"}).out.find("with margins"), std::string::npos);
    const auto expected = tensors_of(checkpoint("apart"));
    const auto found = tensors_of(checkpoint("together"));
    EXPECT_LT(found.size(), expected.size());
    for (const auto& [name, values] : found) {
        ASSERT_TRUE(expected.contains(name)) << name;
        EXPECT_EQ(values, expected.at(name)) << name;
    }
}

// The host is two steps ahead when the device reports the loss.
TEST_F(GpuStep, that_is_not_finite_names_its_layer_and_leaves_the_weights) {
    write_tiny({{"use = \"cosine\"", "use = \"constant\""}});
    train("run", {"--steps", "4"});
    const std::string saved = read_bytes(checkpoint());
    const Finished finished = host({"resume", "run", "--set", "optimizer.rate=1e30", "--set", "train.steps=8"});
    expect_refused(finished, 5, {"the loss of step 6", "that of layer '"});
    EXPECT_EQ(finished.err.find("layer 'loss'"), std::string::npos) << finished.err;
    EXPECT_EQ(read_bytes(checkpoint()), saved);
}

}  // namespace
}  // namespace sluice::test
