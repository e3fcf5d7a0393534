// Loss scales: float16 trains with them where it would not without, and a skipped step changes nothing.
#include <cmath>
#include <cstdlib>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

using Tensors = std::map<std::string, std::vector<float>>;

class LossScale : public PipelineTest {
protected:
    // Writes tiny.toml without dropout, whose noise depends on the number of the step.
    void write_steady(const Replacements& more = {}) const {
        write_tiny(joined({{"  { type = \"dropout\", rate = 0.1 },\n", ""}, kEveryStep}, more));
    }

    [[nodiscard]] double last_loss(const std::string& run) const { return steps(run).back().at("loss"); }

    [[nodiscard]] std::vector<double> scales(const std::string& run) const {
        std::vector<double> all;
        for (const auto& step : steps(run)) {
            all.push_back(step.at("loss_scale"));
        }
        return all;
    }

    void train_with(const std::string& run, const std::string& precision, std::vector<std::string> more = {}) const {
        more.insert(more.end(), {"--set", (precision.starts_with("{") ? "precision=" : "precision.use=") + precision});
        train(run, more);
    }
};

// Values are multiplied by 1e3 before a convolution and by 1e-4 after it. The loss is a mean over 12,288 numbers. So
// gradients at the convolution are below 1e-8, and the smallest number of float16 is 6e-8.
TEST_F(LossScale, lets_float16_train_if_gradients_would_be_0) {
    write_steady({{"factor = 0.1", "factor = 1e-4"},
                  {"{ type = \"relu\" }", "{ type = \"relu\" }, { type = \"scale\", factor = 1e3 }"},
                  {"  { type = \"batch_norm\" },\n", ""},
                  {"rate = 1e-3", "rate = 1e-2"},
                  {"use = \"cosine\"", "use = \"constant\""},
                  {"epochs = 2", "epochs = 30\noverfit_one_batch = true"}});
    train_with("start", "float32", {"--steps", "0"});
    train_with("float32", "float32", {"--steps", "60"});
    train_with("none", "{ use = \"mixed_float16\", loss_scale = \"none\" }", {"--steps", "60"});
    train_with("static", "{ use = \"mixed_float16\", loss_scale = \"static\" }", {"--steps", "60"});
    train_with("dynamic", "mixed_float16", {"--steps", "60"});

    const Tensors start = tensors_of(checkpoint("start"));
    const Tensors unscaled = tensors_of(checkpoint("none"));
    for (const auto& [name, values] : start) {
        if (name.starts_with("model/") && name.ends_with("/kernel")) {
            EXPECT_EQ(values, unscaled.at(name)) << name << " has learnt without a scale";
        }
    }
    const double first = steps("float32").front().at("loss");
    EXPECT_LT(last_loss("float32"), 0.9 * first);
    EXPECT_GT(last_loss("none"), 0.99 * first);
    EXPECT_NEAR(last_loss("dynamic"), last_loss("float32"), 0.03 * first);
    EXPECT_NEAR(last_loss("static"), last_loss("float32"), 0.03 * first);
    EXPECT_FALSE(steps("none").front().contains("loss_scale"));
}

// The reported loss is not scaled.
TEST_F(LossScale, is_in_the_events_the_table_and_the_checkpoint) {
    write_steady();
    train_with("run", "{ use = \"mixed_float16\", scale = 1024, growth_interval = 3, ceiling = 3000 }");
    EXPECT_EQ(scales("run"), (std::vector<double>{1024, 1024, 2048, 2048, 2048, 3000, 3000, 3000}));
    EXPECT_EQ(steps("run").back().at("good_steps"), 2);
    EXPECT_EQ(steps("run").back().at("skipped_steps"), 0);
    EXPECT_LT(last_loss("run"), 1.0);
    const std::string table = read_bytes(folder() / "run/metrics.csv");
    expect_contains(table, {",loss_scale,skipped_steps,good_steps\n", ",2048,0,1\n", ",3000,0,2\n"});
    EXPECT_EQ(metadata_of(checkpoint()).at("loss_scale"), "3000");
    EXPECT_EQ(metadata_of(checkpoint()).at("loss_scale_good_steps"), "2");
    EXPECT_EQ(metadata_of(checkpoint()).at("skipped_steps"), "0");
}

// Run `a` begins with skipped steps, and run `b` begins with the scale that those steps leave. Both end with the same
// bits of weights, optimizer, running statistics and average, and with the same rate. cuDNN stores the gradients of
// weights in 16 bits, so they overflow sooner on its device.
TEST_F(LossScale, of_skipped_steps_leaves_no_trace) {
    const int first = std::getenv("SLUICE_TEST_DEVICE") == nullptr ? 34 : 26;  // the first scale is 2^first
    for (const char* const accumulate : {"1", "2"}) {
        write_steady({{"epochs = 2",
                       "epochs = 6\nema = 0.9\noverfit_one_batch = true\naccumulate = " + std::string(accumulate)}});
        const std::string a = "skips" + std::string(accumulate);
        const std::string b = "none" + std::string(accumulate);
        const auto policy = [](const std::string& scale) {
            return "{ use = \"mixed_float16\", ceiling = 1e30, scale = " + scale + " }";
        };
        train_with(a, policy(std::to_string(1ULL << first) + ".0"), {"--steps", "12"});
        const auto metadata = metadata_of(checkpoint(a));
        const int skipped = std::stoi(metadata.at("skipped_steps"));
        ASSERT_GT(skipped, 1);
        ASSERT_LT(skipped, 10);
        EXPECT_EQ(steps(a).back().at("good_steps"), 12 - skipped);
        EXPECT_EQ(std::stod(metadata.at("loss_scale")), std::ldexp(1.0, first - skipped));

        train_with(b, policy(metadata.at("loss_scale") + ".0"), {"--steps", std::to_string(12 - skipped)});
        EXPECT_EQ(metadata_of(checkpoint(b)).at("skipped_steps"), "0");
        EXPECT_EQ(tensors_of(checkpoint(a)), tensors_of(checkpoint(b)));
        EXPECT_EQ(steps(a).back().at("rate"), steps(b).back().at("rate"));
    }
}

// After each such step, the host searches for the layer. The search changes nothing either.
TEST_F(LossScale, of_steps_that_overflow_forward_leaves_no_trace) {
    write_steady({{"{ type = \"relu\" }", "{ type = \"relu\" }, { type = \"scale\", factor = 1e9 }"}});
    expect_refused(
        host({"train", "tiny.toml", "--run-folder", "run", "--steps", "4", "--set", "precision.use=mixed_float16"}), 5,
        {"the last 4 steps were skipped", "layer 'scale'", "before_skips"});
    train_with("start", "mixed_float16", {"--steps", "0"});
    EXPECT_EQ(tensors_of(checkpoint("run", "before_skips")), tensors_of(checkpoint("start")));
}

// If all layers stay in float32, a scale that is a power of two changes no bit.
TEST_F(LossScale, clips_the_true_gradients) {
    write_steady({{"rate = 1e-3", "rate = 1e-3\nclip_norm = 0.01"}});
    train_with("plain", "float32");
    train_with("scaled", R"({ use = "mixed_float16", deny = ["conv2d"] })");
    EXPECT_EQ(tensors_of(checkpoint("scaled")), tensors_of(checkpoint("plain")));
    const auto plain = steps("plain");
    const auto scaled = steps("scaled");
    ASSERT_EQ(plain.size(), scaled.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
        EXPECT_GT(plain[i].at("gradient_norm"), 0.01);
        EXPECT_EQ(plain[i].at("gradient_norm"), scaled[i].at("gradient_norm")) << i;
    }
}

TEST_F(LossScale, of_a_single_layers_policy_counts_if_the_pipelines_has_none) {
    write_steady({{"filters = 6, kernel = 3", "filters = 6, precision = \"mixed_float16\", kernel = 3"}});
    train();
    EXPECT_EQ(scales("run"), std::vector<double>(8, 32768.0));
}

// Gradients at the layer nearest to the loss are infinite in float16.
TEST_F(LossScale, that_is_too_large_stops_the_run_at_the_layer) {
    write_steady();
    train_with("run", "mixed_float16");
    const std::string saved = read_bytes(checkpoint());
    expect_refused(
        host({"resume", "run", "--set", "train.epochs=9", "--set",
              "precision={ use = \"mixed_float16\", loss_scale = \"static\", scale = 1e12, most_skips = 4 }"}),
        5,
        {"the last 4 steps were skipped", "gradient of layer 'conv2d_2'", "1e+12", "optimizer.rate", "mixed_bfloat16",
         "precision = \"float32\"", "and static", "a lower precision.scale, precision.loss_scale = \"dynamic\"",
         "before_skips.safetensors", "last.safetensors"});
    EXPECT_EQ(read_bytes(checkpoint()), saved);
    // Nothing is lost: the run resumes from there with a scale that fits.
    EXPECT_EQ(tensors_of(checkpoint("run", "before_skips")), tensors_of(checkpoint()));
    expect_success(host({"resume", "run", "--checkpoint", "run/checkpoints/before_skips.safetensors", "--set",
                         "precision={ use = \"mixed_float16\" }"}));
    EXPECT_EQ(metadata_of(checkpoint()).at("skipped_steps"), "4");
}

// Chains that run in one pass are named by their last layer.
const char* first_layer() {
    return std::getenv("SLUICE_TEST_DEVICE") == nullptr ? "output of layer 'conv2d'" : "output of layer 'relu'";
}

// The weights become far too large, so the loss itself is not finite with any scale.
TEST_F(LossScale, that_collapses_stops_the_run) {
    write_steady({{"rate = 1e-3", "rate = 1e30"}});
    const Finished finished = host({"train", "tiny.toml", "--run-folder", "run", "--set",
                                    "precision={ use = \"mixed_float16\", scale = 4, most_skips = 5 }"});
    expect_refused(finished, 5,
                   {"the last 5 steps were skipped", first_layer(), "the loss",
                    "the loss scale is 1, which is precision.floor", "before_skips"});
    // An epoch has 4 steps, and the run stops at the second step of the second epoch.
    const std::string table = read_bytes(folder() / "run/metrics.csv");
    expect_contains(table, {"\n2,6,", ",1,5,0\n"});
    EXPECT_EQ(finished.err.find("precision.scale"), std::string::npos) << finished.err;
    EXPECT_EQ(scales("run"), (std::vector<double>{4, 2, 1, 1, 1, 1}));
}

// The validation loss is not finite either, but that alone does not stop the run while steps are skipped.
TEST_F(LossScale, that_collapses_up_to_the_last_step_stops_the_run_there) {
    write_steady({{"rate = 1e-3", "rate = 1e30"}});
    const Finished finished = host({"train", "tiny.toml", "--run-folder", "run", "--set", "precision.use=mixed_float16",
                                    "--set", "evaluate.every=2 steps"});
    expect_refused(finished, 5,
                   {"the last 7 steps were skipped", first_layer(), "the validation loss after step 8",
                    "mixed_bfloat16", "before_skips"});
    EXPECT_EQ(scales("run").size(), 8U);
}

// Without a loss scale, no step is skipped.
TEST_F(LossScale, that_is_none_leaves_a_validation_that_names_the_layer) {
    write_steady({{"rate = 1e-3", "rate = 1e30"}});
    const Finished finished =
        host({"train", "tiny.toml", "--run-folder", "run", "--set",
              "precision={ use = \"mixed_float16\", loss_scale = \"none\" }", "--set", "evaluate.every=1 steps"});
    expect_refused(finished, 5,
                   {"the validation loss after step 1", "that of layer '", "optimizer.rate", "mixed_bfloat16",
                    "precision = \"float32\" on layer '"});
}

}  // namespace
}  // namespace sluice::test
