// `host bench` on a tiny pipeline: its output is complete and consistent. No test here expects certain times.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

using nlohmann::json;

class Bench : public PipelineTest {};

const json& part_of(const json& found, const std::string& direction, const std::string& path) {
    static const json none;
    for (const json& part : found["parts"]) {
        if (part["direction"] == direction && part["path"] == path) {
            return part;
        }
    }
    ADD_FAILURE() << "no part '" << direction << " " << path << "' in:\n" << found.dump(2);
    return none;
}

bool on_gpu() { return std::getenv("SLUICE_TEST_DEVICE") != nullptr; }

void expect_every_part(const json& found) {
    // On a GPU, the kernel of the convolution also computes the batch_norm after it.
    const char* const normalisation = on_gpu() ? "conv2d" : "batch_norm";
    for (const char* direction : {"forward", "backward"}) {
        EXPECT_GT(part_of(found, direction, "conv2d")["flops"], 0.0);
        EXPECT_GT(part_of(found, direction, "conv2d")["done_flops"], 0.0);
        EXPECT_EQ(part_of(found, direction, "conv2d")["dtype"], "float32");
        EXPECT_GT(part_of(found, direction, "conv2d")["of_peak"], 0.0);
        EXPECT_EQ(part_of(found, direction, "loss")["dtype"], "");
        EXPECT_GT(part_of(found, direction, normalisation)["bytes"], 0.0);
        EXPECT_FALSE(part_of(found, direction, "loss")["kernel"].get<std::string>().empty());
    }
    EXPECT_EQ(part_of(found, "update", "optimizer")["types"], "adam");
    EXPECT_TRUE(part_of(found, "rest", "feeding and reading").is_object());
    for (const json& part : found["parts"]) {
        EXPECT_LE(part["seconds"]["least"], part["seconds"]["median"]) << part;
        EXPECT_LE(part["seconds"]["median"], part["seconds"]["most"]) << part;
    }
}

void expect_shares_that_add_up(const json& found) {
    double sum = 0.0;
    double last = 1.0;
    double limits = 0.0;
    double without_arithmetic = 0.0;
    double flops = 0.0;
    double done = 0.0;
    for (const json& part : found["parts"]) {
        EXPECT_LE(part["share"], last);
        last = part["share"];
        sum += last;
        limits += part["limit_seconds"].get<double>();
        without_arithmetic += part["flops"] > 0.0 ? 0.0 : last;
        flops += part["flops"].get<double>();
        done += part["done_flops"].get<double>();
    }
    EXPECT_NEAR(found["flops"], flops, 1e-3);
    EXPECT_NEAR(found["done_flops"], done, 1e-3);
    EXPECT_NEAR(found["algorithm_gain"], flops / done, 1e-9);
    EXPECT_GT(found["of_peak"], 0.0);
    EXPECT_NEAR(sum, 1.0, 1e-9);
    EXPECT_NEAR(found["outside_convolutions"], without_arithmetic, 1e-9);
    EXPECT_NEAR(found["limit"]["seconds"], limits, 1e-12);
    EXPECT_LE(found["limit"]["seconds"], found["limit"]["sum_seconds"]);
}

void expect_measured_limits(const json& found) {
    EXPECT_GT(found["limit"]["flops_per_second"]["float32"], 1e6);
    // On a GPU, only copies are measured, and only of more bytes than its cache holds.
    ASSERT_FALSE(found["limit"]["bytes_per_second"].empty());
    EXPECT_LE(found["limit"]["bytes_per_second"].front()["bytes"], on_gpu() ? 1 << 24 : 1 << 16);
    for (const json& size : found["limit"]["bytes_per_second"]) {
        EXPECT_GT(size["copy"], 1e6) << size;
        EXPECT_EQ(size.contains("read"), !on_gpu()) << size;
        EXPECT_EQ(size.contains("triad"), !on_gpu()) << size;
    }
}

// On a GPU, the memory that a run takes is the planned memory and little more.
void expect_device_memory(const json& memory) {
    ASSERT_EQ(memory.contains("device_peak"), on_gpu()) << memory;
    if (on_gpu()) {
        const auto planned = memory["predicted_arena"].get<double>() + memory["predicted_weights"].get<double>();
        EXPECT_GE(memory["device_peak"], planned);
        EXPECT_LE(memory["device_peak"], planned + (2 << 20));
        EXPECT_GT(memory["device_taken"], 0);
    }
}

// One run serves all checks, because the run also measures the machine, which takes seconds.
TEST_F(Bench, figures_are_whole_and_agree_with_each_other) {
    write_tiny();
    const json found = json::parse(expect_output({"bench", "tiny.toml", "--steps", "3", "--batch", "2", "--json"}));
    EXPECT_EQ(found["pipeline"], "tiny");
    EXPECT_EQ(found["batch"], 2);
    EXPECT_EQ(found["parameters"], 168 + 12 + 165);
    EXPECT_EQ(found["steps"], 3);
    // The batch has 2x32x32 pixels, and the 3x3 kernel maps 3 channels to 6.
    EXPECT_EQ(part_of(found, "forward", "conv2d")["flops"], 2.0 * 2 * 32 * 32 * 3 * 3 * 3 * 6);
    expect_every_part(found);
    expect_shares_that_add_up(found);
    expect_measured_limits(found);
    EXPECT_GT(found["start_up_seconds"], 0.0);
    EXPECT_GT(found["memory"]["resident_peak"], found["memory"]["resident_before"]);
    EXPECT_EQ(part_of(found, "backward", "conv2d")["shapes"], "2x32x32x3, 6x3x3x3, 6");
    expect_device_memory(found["memory"]);
}

TEST_F(Bench, text_holds_the_same_parts) {
    write_tiny();
    expect_output({"bench", "tiny.toml", "--steps", "1"},
                  {"tiny, 4 a batch", "samples/s", "outside convolutions", "peak rate of arithmetic", "by definition",
                   "gain", "start-up", "memory", "share", "backward", "batch_norm+relu", "optimizer"});
    EXPECT_FALSE(std::filesystem::exists(folder() / "runs"));
}

TEST_F(Bench, refuses_what_it_cannot_do) {
    write_tiny();
    expect_refused(host({"bench"}), 2, {"no pipeline", "host bench"});
    expect_refused(host({"bench", "tiny.toml", "--steps", "0"}), 2, {"--steps is 0", "at least 1"});
    expect_refused(host({"bench", "tiny.toml", "--batch", "-2"}), 2, {"--batch is -2", "at least 1"});
    expect_refused(host({"bench", "tiny.toml", "--jason"}), 2, {"--jason", "did you mean '--json'?"});
}

}  // namespace
}  // namespace sluice::test
