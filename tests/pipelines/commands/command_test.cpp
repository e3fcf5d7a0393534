// Commands that only print: plan, plugins, doctor, check, and the help of every command.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <utility>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Command : public PipelineTest {};

// Returns the number before `unit` in the line that begins with `begin`.
double number_of(const std::string& text, const std::string& begin, const std::string& unit) {
    std::smatch found;
    const std::regex line(begin + " +([0-9.]+) ?" + unit);
    EXPECT_TRUE(std::regex_search(text, found, line)) << begin << " is not in:\n" << text;
    return found.empty() ? 0.0 : std::stod(found[1]);
}

TEST_F(Command, help_of_each) {
    expect_output({"--help"}, {"train", "resume", "plan", "evaluate", "predict", "check", "plugins", "doctor", "bench",
                               "`host COMMAND --help` lists"});
    expect_output({"--version"}, {"sluice "});
    for (const char* command :
         {"train", "resume", "plan", "evaluate", "predict", "check", "plugins", "doctor", "bench"}) {
        expect_output({command, "--help"}, {"host ", command, "options:", "--help"});
    }
    EXPECT_EQ(host({}).exit, 2);
}

TEST_F(Command, a_pipeline_includes_what_the_option_finds) {
    write("mine/own.toml", "version = 1\ninclude = \"deblur.toml\"\n[data]\nbatch = 3\n");
    expect_output({"plan", "mine/own.toml", "--explain"}, {"batch = 3", "pipelines/deblur.toml:"});
    write("mine/deblur.toml", "include = \"deblur\"\nseed = 77\n");  // a file in the same folder comes first
    expect_output({"plan", "mine/own.toml", "--explain"},
                  {"seed = 77", "mine/deblur.toml:2", "pipelines/deblur.toml:"});
    write("mine/deblur.toml", "include = \"deblur.toml\"\nseed = 78\n");  // its own name means the installed file
    expect_output({"plan", "mine/own.toml", "--explain"},
                  {"seed = 78", "mine/deblur.toml:2", "pipelines/deblur.toml:"});
    write("wrong.toml", "version = 1\ninclude = \"debulr.toml\"\n");
    expect_refused(host({"plan", "wrong.toml"}), 2, {"cannot include \"debulr.toml\": there is no file debulr.toml"});
}

TEST_F(Command, help_lists_pages_and_shows_them) {
    expect_output({"help"}, {"train", "Pages, shown by `host help TOPIC`", "data ", "kinds/layer"});
    EXPECT_EQ(expect_output({"help"}), expect_output({"--help"}));
    expect_output({"help", "gpu"}, {"GPUs\n\n", "\n    [device]\n    use = [\"cuda\", \"cpu\"]\n"});
    expect_output({"help", "kinds/layer"}, {"A layer type\n"});
    // The command `drain` has no page of its own.
    EXPECT_EQ(expect_output({"help", "drain"}), expect_output({"drain", "--help"}));
    expect_output({"drain", "--help"}, {"`host help data` explains it"});
    expect_refused(host({"help", "dat"}), 2, {"no page and no command 'dat'", "`host help` lists all", "'data'"});
}

// Code keeps its lines, and other text is wrapped at the terminal's width. Code spans are the only Markdown that stays.
TEST_F(Command, help_lays_pages_out_for_a_terminal) {
    for (const std::size_t width : {std::size_t{72}, std::size_t{100}}) {
        setenv("COLUMNS", std::to_string(width).c_str(), 1);
        const std::string output = expect_output({"help", "pipeline"});
        unsetenv("COLUMNS");
        for (const std::string& line : lines_of(output)) {
            const auto columns = std::ranges::count_if(line, [](unsigned char c) { return (c & 0xC0U) != 0x80U; });
            EXPECT_TRUE(line.starts_with("    ") || std::cmp_less_equal(columns, width)) << line;
            EXPECT_EQ(line.find("]("), std::string::npos) << line;
            EXPECT_FALSE(line.starts_with("|") || line.starts_with("```") || line.starts_with("<!--")) << line;
        }
        expect_contains(output, {"\n-----", "`data.batch`", "bad samples (data)"});
    }
    // The rest of a cell stays in its column.
    expect_contains(expect_output({"help", "gpu"}), {"\n" + std::string(51, ' ') + "refused since then\n"});
}

// An argument that is given without an option name is listed under arguments, not under options.
TEST_F(Command, help_shows_bare_words_as_arguments) {
    for (const auto& [command, shown] : std::vector<std::pair<std::string, std::string>>{
             {"new", "KIND NAME "}, {"check", "FILE|NAME "}, {"plugins", "show NAME|FILE "}, {"predict", "FILE "}}) {
        const std::string output = expect_output({command, "--help"}, {"\narguments:\n  " + shown, "\noptions:\n"});
        EXPECT_EQ(output.find("--words") + 1 + output.find("--name") + 1, 0U) << output;
    }
    expect_output({"plan", "--help"}, {"\n  -p [ --pipeline ] FILE "});
}

// The check prints each case at once, so that a waiting user sees what it is doing.
TEST_F(Command, check_tells_of_each_case_before_it_counts_them) {
    const std::string file = std::string(SLUICE_TEST_ENDING_DIR) + "/sluice_ending.so";
    const std::string output = expect_output({"check", file, "test.observer.ending", "--case", "loads"}, {"1 passed"});
    EXPECT_LT(output.find("    passed  loads\n"), output.find("observer ")) << output;
    EXPECT_EQ(count_of(output, "loads"), 1U) << output;
}

// The output is one JSON object. Each finding is on a line of its own, so that a truncated output is still readable.
TEST_F(Command, check_prints_each_finding_as_json) {
    using nlohmann::json;
    const std::string output = expect_output({"check", "relu", "reference", "--json"}, {"\"failed\": 0"});
    const json whole = json::parse(output);
    EXPECT_EQ(whole["checks"], json::parse(R"([["relu", "reference"]])"));
    ASSERT_GT(whole["findings"].size(), 1U);
    EXPECT_GT(whole["passed"], 1);
    EXPECT_EQ(whole["passed"].get<std::size_t>() + whole["skipped"].get<std::size_t>(), whole["findings"].size());
    std::size_t findings = 0;
    for (const std::string& line : lines_of(output)) {
        const json finding = json::parse(line.substr(0, line.find_last_not_of(',') + 1), nullptr, false);
        findings += finding.is_object() && finding.contains("place") ? 1 : 0;
    }
    EXPECT_EQ(findings, whole["findings"].size());
}

TEST_F(Command, plan_lists_layers_kernels_and_memory) {
    write_tiny();
    const std::string output =
        expect_output({"plan", "tiny.toml"}, {"tiny", "16 samples", "dead_leaves > motion_blur > random_flip",
                                              "batch_norm+relu", "4x32x32x6", "arena", "adam, 2 states"});
    // The convolutions have 3*3*3*6+6 and 3*3*6*3+3 parameters, and the batch_norm has twice 6.
    EXPECT_EQ(number_of(output, "parameters", ""), 168 + 12 + 165);
    EXPECT_FALSE(std::filesystem::exists(folder() / "runs"));
}

TEST_F(Command, plan_explains_where_values_come_from) {
    write_tiny();
    expect_output({"plan", "--explain", "tiny.toml", "--set", "data.batch=2"},
                  {"seed = 3", "# tiny.toml:2:1", "# default", "# --set data.batch=2"});
}

TEST_F(Command, plan_of_evaluation) {
    write_tiny();
    EXPECT_EQ(expect_output({"plan", "tiny.toml"}, {"gradients"}).find("metrics/psnr"), std::string::npos);
    // The shape is that of the validation data.
    expect_output({"plan", "--mode", "evaluate", "tiny.toml"},
                  {"metrics/psnr", "written over", "4 samples", "4x24x32x6"});
    EXPECT_EQ(host({"plan", "--mode", "evaluation", "tiny.toml"}).exit, 2);
}

// The model has 345 parameters and 12 statistics. In the buffers, each tensor begins at a multiple of 16 numbers.
TEST_F(Command, plan_counts_the_memory_that_its_mode_takes) {
    write_tiny({{"epochs = 2", "epochs = 2\nema = 0.9"}});
    expect_output({"plan", "tiny.toml"}, {", parameters 1.6 KiB, gradients 1.6 KiB, optimizer states 3.2 KiB, "
                                          "running statistics 128 B, averaged weights 1.8 KiB\n"});
    // An evaluation needs no gradients, optimizer states or averaged weights.
    const std::string output = expect_output({"plan", "--mode", "evaluate", "tiny.toml"},
                                             {", parameters 1.6 KiB, running statistics 128 B\n"});
    EXPECT_EQ(output.find("\noptimizer "), std::string::npos) << output;
}

// A training that does not fit fails with the same message.
TEST_F(Command, plan_says_whether_replicas_fit) {
    const auto planned = [&](const std::vector<std::string>& more) {
        return expect_output(joined({"plan", "deblur-article.toml", "--set", "device.measure=false"}, more),
                             {"too much"});
    };
    const auto found = [](const std::string& text, const char* pattern) {
        std::smatch match;
        EXPECT_TRUE(std::regex_search(text, match, std::regex(pattern))) << text;
        return match.size() > 1 ? match[1].str() : "";
    };
    const std::string shards = planned(
        {"--set", "data.batch=8", "--set", "strategy.micro_shards=8", "--replicas", "1", "--device-memory", "600MB"});
    expect_contains(shards, {"gradients of micro-batches 347.9 MiB"});
    EXPECT_EQ(found(shards, "memory +([0-9.]+ MiB): "), found(shards, "too much: ([0-9.]+ MiB) of memory are needed"));
    // The replicas of one process share the free memory of the machine.
    const std::vector<std::string> large{"--set", "data.batch=40000", "--set", "data.memory=64 TiB"};
    const auto free = [&](const char* replicas) {
        return std::stod(
            found(planned(joined(large, std::vector<std::string>{"--set", "strategy.use=mirrored", "--set", replicas})),
                  "([0-9.]+) GiB are free"));
    };
    EXPECT_NEAR(free("strategy.replicas=1") / free("strategy.replicas=2"), 2.0, 0.4);
}

TEST_F(Command, plan_of_evaluation_needs_validation_data) {
    write("alone.toml", R"(version = 1
data.train.source = { use = "dead_leaves", count = 4, size = [16, 16] }
model = { input = "sharp", target = "sharp", layers = [{ type = "conv2d", filters = 3 }] }
loss.use = "mean_squared_error"
optimizer.use = "sgd"
)");
    expect_output({"plan", "alone.toml"}, {"memory "});
    expect_refused(host({"plan", "--mode", "evaluate", "alone.toml"}), 2, {"[data.validation]"});
}

TEST_F(Command, plan_says_what_recompute_saves) {
    write_tiny();
    expect_output({"plan", "tiny.toml", "--set", "train.recompute=selective"}, {"run again in backward"});
}

TEST_F(Command, plan_of_the_article) {
    const std::string output = expect_output({"plan", "deblur-article.toml"}, {"1x256x256x3"});
    EXPECT_EQ(number_of(output, "parameters", "M"), 11.4);
    EXPECT_EQ(number_of(output, "forward", "GFLOP"), 113.6);
}

TEST_F(Command, plugins) {
    expect_output({"plugins"},
                  {"sluice.reference", "sluice_reference.so", "conv2d", "dead_leaves", "progress", "adam"});
    expect_output({"plugins", "show", "conv2d"}, {"filters", "int >= 1", "default 3", "\"reflect\""});
    expect_output({"plugins", "show", "random_crop"}, {"\ndraws at random: yes\n"});
    expect_output({"plugins", "show", "center_crop"}, {"\ndraws at random: no\n"});
    expect_output({"plugins", "show", "motion_blur"}, {"\ndraws at random: if length_range or angle_range is given\n"});
    expect_output({"plugins", "show", "photos"}, {"\nsamples depend on the seed: no\n"});
    expect_output({"plugins", "show", "dead_leaves"}, {"\nsamples depend on the seed: yes\n"});
    expect_refused(host({"plugins", "show", "conv3d"}), 2, {"'conv3d'", "did you mean 'conv2d'?"});
}

TEST_F(Command, doctor) {
    const std::string output = expect_output({"doctor"}, {"ok   device cpu", "ok   plugins", "reference (cpu)"});
    EXPECT_TRUE(std::regex_search(output, std::regex("onednn \\(cpu: oneDNN [23]\\.[0-9]+\\.[0-9]+\\)"))) << output;
    EXPECT_TRUE(std::regex_search(host({"doctor", "--json"}).out, std::regex("\"oneDNN\": \"[23]\\.")));
}

}  // namespace
}  // namespace sluice::test
