// Plugins that were built with SDKs of earlier releases, from 1.0 on, and are never built again: the current host
// lists, checks and uses them.
#include <algorithm>
#include <regex>
#include <set>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

namespace fs = std::filesystem;

// The command shows that a component is in use; it still lacks the pipeline and the plugin file. `output` is a regular
// expression for its output.
struct Use {
    std::vector<std::string> command;
    std::string output;
};

const std::vector<std::string> kDrain{"drain", "--seconds", "0.2"};
const std::vector<std::string> kPlan{"plan"};

// Every plugin of a release needs an entry.
const std::map<std::string, Use> kUses{
    {"golden_source", {kDrain, "'golden_source' takes 100 %"}},
    {"golden_csv_rows", {kDrain, "'golden_csv_rows' takes 100 %"}},
    {"golden_transform", {kDrain, "\ngolden_transform "}},
    {"golden_hsv_jitter", {kDrain, "\ngolden_hsv_jitter "}},
    {"golden_batch_transform", {kDrain, "\ngolden_batch_transform "}},
    {"golden_layer", {kPlan, " golden_layer +golden_layer "}},  // layer type and kernel provider
    {"golden_kernel", {kPlan, " relu +golden_kernel "}},
    {"golden_optimizer", {kPlan, "optimizer +golden_optimizer, 1 state"}},
    {"golden_precision", {{"plan", "--precision"}, "golden_precision bfloat16 "}},
    {"golden_strategy", {kPlan, "replicas +2;"}},
    {"golden_observer",
     {{"train", "--quiet", "--steps", "4", "--run-folder", "run"}, ""}},  // its table has every second step
};

// Returns the plugins of all releases; each release has a folder.
std::vector<fs::path> golden_plugins() {
    std::vector<fs::path> files;
    for (const auto& file : fs::recursive_directory_iterator(SLUICE_TEST_GOLDEN)) {
        if (file.path().extension() == ".so") {
            files.push_back(file.path());
        }
    }
    std::ranges::sort(files);
    return files;
}

TEST(GoldenPlugins, are_all_there) {
    std::map<fs::path, std::set<std::string>> names;
    for (const fs::path& file : golden_plugins()) {
        names[file.parent_path()].insert(file.stem());
    }
    EXPECT_TRUE(names.contains(fs::path(SLUICE_TEST_GOLDEN) / "1_0"));
    for (const auto& [release, found] : names) {
        for (const auto& use : kUses) {
            EXPECT_TRUE(found.contains(use.first)) << use.first << " is not in " << release;
        }
    }
}

class Golden : public PipelineTest, public testing::WithParamInterface<fs::path> {
protected:
    void SetUp() override {
#if !defined(__x86_64__) || !defined(__linux__)
        GTEST_SKIP() << "the golden plugins were built for x86-64 Linux";
#endif
        std::string points = "x,y,label\n";  // label: the point is in a circle
        for (int i = 0; i < 200; ++i) {
            const int x = i * 7 % 21 - 10;
            const int y = i * 11 % 23 - 11;
            points += std::to_string(x) + "," + std::to_string(y) + "," + (x * x + y * y < 64 ? "1\n" : "0\n");
        }
        write("points.csv", points);
    }
    [[nodiscard]] static std::string file() { return GetParam(); }
    [[nodiscard]] static std::string name() { return GetParam().stem(); }
    // Runs the command with the plugin and its pipeline, expects success, and returns the output.
    [[nodiscard]] std::string output_of(const std::vector<std::string>& command) const {
        const fs::path pipeline = fs::path(GetParam()).replace_extension(".toml");
        const Finished finished = host(joined(command, std::vector<std::string>{pipeline, "--plugin", file()}));
        expect_success(finished);
        return finished.out + finished.err;
    }
};

TEST_P(Golden, is_listed) { expect_output({"plugins", "show", file()}, {"'" + name() + "' (com.acme."}); }

TEST_P(Golden, keeps_the_contract) {
    const std::string output = expect_output({"check", file()}, {" passed"});
    EXPECT_EQ(output.find("failed"), std::string::npos) << output;
}

TEST_P(Golden, trains) { expect_contains(output_of({"train", "--steps", "3"}), {"finished at step 3"}); }

TEST_P(Golden, is_used) {
    const auto use = kUses.find(name());
    ASSERT_NE(use, kUses.end()) << "kUses has no entry for this plugin";
    const std::string output = output_of(use->second.command);
    EXPECT_TRUE(std::regex_search(output, std::regex(use->second.output))) << use->second.output << "\n" << output;
    if (name() == "golden_observer") {
        EXPECT_EQ(lines_of(read_bytes(folder() / "run/golden_observer.csv")).size(), 2U);
    }
}

std::string name_of(const testing::TestParamInfo<fs::path>& golden) {
    return golden.param.parent_path().filename().string() + "_" + golden.param.stem().string();
}

INSTANTIATE_TEST_SUITE_P(Of, Golden, testing::ValuesIn(golden_plugins()), name_of);

}  // namespace
}  // namespace sluice::test
