// `sluice new`: its project of each kind and language is built, checked and trained as the page says. Wrong names and
// kinds are refused.
#include <map>
#include <regex>
#include <sstream>
#include <tuple>

#include "sdk_test.hpp"

namespace sluice::test {
namespace {

namespace fs = std::filesystem;

class New : public Sdk {};

using Choice = std::tuple<std::string, std::string>;  // kind, language

class NewProject : public New, public testing::WithParamInterface<Choice> {
protected:
    static const std::string& kind() { return std::get<0>(GetParam()); }
    static const std::string& language() { return std::get<1>(GetParam()); }

    void SetUp() override {
        if (language() == "rust" && std::string_view(SLUICE_TEST_CARGO).empty()) {
            GTEST_SKIP() << "cargo is not installed";
        }
    }

    // Each operation of the template's three layers and of the optimizer is launched once in a step.
    static void expect_times_of_two_steps(const std::string& table) {
        std::istringstream lines(table);
        std::map<std::string, int> found;  // operations by direction
        for (std::string line; std::getline(lines, line);) {
            std::smatch parts;
            ASSERT_TRUE(std::regex_match(line, parts, std::regex(R"("[^"]+",([a-z]+),2,([0-9.e-]+))"))) << line;
            EXPECT_GT(std::stod(parts[2]), 0.0) << line;
            found[parts[1]] += 1;
        }
        EXPECT_GE(found["forward"], 2) << table;
        EXPECT_GE(found["backward"], 2) << table;
        EXPECT_GE(found["optimizer"], 1) << table;
    }

    // Expects this of the names of files and of their contents.
    void expect_no_trace_of_the_template() const {
        for (const auto& file : fs::recursive_directory_iterator(folder() / "mild_wind")) {
            const std::string text = file.is_regular_file() ? read_file(file.path()) : "";
            for (const char* const trace : {"example", "Example"}) {
                EXPECT_EQ(file.path().filename().string().find(trace), std::string::npos) << file.path();
                EXPECT_EQ(text.find(trace), std::string::npos) << file.path();
            }
        }
    }
};

const std::string kBuild =
    SLUICE_TEST_CMAKE " -S mild_wind -B mild_wind/build && " SLUICE_TEST_CMAKE " --build mild_wind/build";
const std::string kTest = SLUICE_TEST_CTEST " --test-dir mild_wind/build --output-on-failure";
const std::string kCargo = "cd mild_wind && " SLUICE_TEST_CARGO " build --release && " SLUICE_TEST_CARGO " test";

TEST_P(NewProject, is_built_checked_and_trained) {
    expect_success("sluice new " + kind() + " mild_wind --lang " + language());
    expect_no_trace_of_the_template();
    EXPECT_TRUE(fs::exists(folder() / "mild_wind/README.md"));
    const bool is_rust = language() == "rust";
    const std::string output = expect_success(is_rust ? kCargo : kBuild + " && " + kTest);
    EXPECT_EQ(output.find("warning: "), std::string::npos) << output;
    const std::string plugin = is_rust ? "mild_wind/target/release/libmild_wind.so" : "mild_wind/build/mild_wind.so";
    EXPECT_EQ(exports(plugin), "sluice_plugin_v1\n");
    EXPECT_EQ(read_file(folder() / plugin).find(folder().string()), std::string::npos);
    const std::string shown = expect_success("sluice plugins show " + plugin);
    EXPECT_NE(shown.find("'mild_wind' (com.acme."), std::string::npos) << shown;
    if (kind() == "observer") {
        expect_success("sluice train mild_wind/pipeline.toml --plugin " + plugin + " --steps 6 --run-folder run");
        expect_times_of_two_steps(read_file(folder() / "run/mild_wind_profile.csv"));
    }
}

std::string name_of(const testing::TestParamInfo<Choice>& choice) {
    return std::get<0>(choice.param) + "_" + std::get<1>(choice.param);
}

const auto kKinds = testing::Values("source", "transform", "batch_transform", "layer", "kernel", "optimizer",
                                    "precision", "strategy", "observer");

INSTANTIATE_TEST_SUITE_P(Of, NewProject, testing::Combine(kKinds, testing::Values("cpp")), name_of);
INSTANTIATE_TEST_SUITE_P(OfOther, NewProject, testing::Values(Choice("source", "c"), Choice("transform", "rust")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Slow, NewProject, testing::Combine(kKinds, testing::Values("c", "rust")), name_of);

TEST_F(New, kernels_of_a_project_are_those_that_run) {
    expect_success("sluice new kernel mild_wind --lang c\n" + kBuild);
    const std::string output =
        expect_success("sluice plan mild_wind/pipeline.toml --plugin mild_wind/build/mild_wind.so");
    EXPECT_NE(output.find("mild_wind"), std::string::npos) << output;
}

// Kernels that were built before the option existed would compute something else.
TEST_F(New, kernels_are_asked_for_a_later_option_only_if_they_know_it) {
    expect_success("sluice new layer mild_wind --lang c");
    const auto add = [&](const std::string& previous, const std::string& line) {
        std::string text = read_file(folder() / "mild_wind/plugin.toml");
        const std::size_t at = text.find(previous);
        ASSERT_NE(at, std::string::npos);
        write("mild_wind/plugin.toml", text.insert(at + previous.size(), line));
    };
    const auto plan = [&](const std::string& slope) {
        return run("sed 's/steepness = 2.0/steepness = 2.0, slopes = " + slope +
                   "/' mild_wind/pipeline.toml > sloped.toml\n"
                   "sluice plan sloped.toml --plugin mild_wind/build/mild_wind.so");
    };
    add("[component.options]\n", "slopes = { type = \"float\", array = 2, default = [1, 1], since = \"1.1\" }\n");
    expect_success(kBuild);
    EXPECT_EQ(plan("[1.0, 1]").exit, 0);
    const Ran ran = plan("[1.0, 2]");
    EXPECT_EQ(ran.exit, 2) << ran.text;
    EXPECT_NE(
        ran.text.find("mild_wind: does not list mild_wind.slopes, an option since 1.1, under 'knows' in its manifest"),
        std::string::npos)
        << ran.text;
    EXPECT_NE(expect_success("sluice plugins show mild_wind/build/mild_wind.so").find("since 1.1"), std::string::npos);
    add("device = \"cpu\"\n", "knows = [\"mild_wind.slopes\"]\n");
    expect_success(kBuild);
    EXPECT_EQ(plan("[1.0, 2]").exit, 0);
}

TEST_F(New, tells_what_it_wrote_and_the_commands_that_come_next) {
    const std::string output = expect_success("sluice new layer swish --lang c");
    for (const char* const part : {"wrote swish, 5 files", "  swish/swish.c\n", "  swish/README.md\n",
                                   "cmake --build swish/build\n", "  sluice check swish/build/swish.so\n",
                                   "  sluice train swish/pipeline.toml --plugin swish/build/swish.so\n"}) {
        EXPECT_NE(output.find(part), std::string::npos) << part << "\n" << output;
    }
    const std::size_t next = output.find("next:\n");
    ASSERT_NE(next, std::string::npos) << output;
    expect_success(output.substr(next + 6));
}

// Libraries of the system have these names.
TEST_F(New, takes_names_of_libraries) {
    for (const std::string name : {"m", "c", "dl"}) {
        expect_success("sluice new layer " + name + " --lang c && " SLUICE_TEST_CMAKE " -S " + name + " -B " + name +
                       "/build && " SLUICE_TEST_CMAKE " --build " + name + "/build && sluice plugins show " + name +
                       "/build/" + name + ".so");
    }
}

TEST_F(New, refuses_what_is_no_name) {
    for (const auto& [name, reason] : std::map<std::string, std::string>{{"Swish", "is no name"},
                                                                         {"2d", "is no name"},
                                                                         {"../swish", "is no name"},
                                                                         {"_swish", "is no name"},
                                                                         {"hsv-jitter", "is no name"},
                                                                         {"''", "is no name"},
                                                                         {std::string(65, 'a'), "at most 64"},
                                                                         {"while", "is a word of C"},
                                                                         {"impl", "is a word of C"},
                                                                         {"test", "is a word of C"},
                                                                         {"relu", "there is a layer 'relu' already"}}) {
        const Ran ran = run("sluice new layer " + name);
        EXPECT_EQ(ran.exit, 2) << name;
        EXPECT_NE(ran.text.find(reason), std::string::npos) << ran.text;
    }
    EXPECT_FALSE(fs::exists(folder() / "relu"));
}

TEST_F(New, refuses_kinds_and_languages_that_it_does_not_know) {
    for (const auto& [words, reason] : std::map<std::string, std::string>{
             {"optimiser swish", "no kind of plugin 'optimiser'; did you mean 'optimizer'"},
             {"layer swish --lang fortran", "no language 'fortran'; one of: c, cpp, rust"},
             {"device swish", "no template of a device"},
             {"layer", "needs both"}}) {
        const Ran ran = run("sluice new " + words);
        EXPECT_EQ(ran.exit, 2) << words;
        EXPECT_NE(ran.text.find(reason), std::string::npos) << ran.text;
    }
    EXPECT_FALSE(fs::exists(folder() / "swish"));
}

TEST_F(New, leaves_a_folder_that_is_there_as_it_is) {
    write("kept", "as it was");
    for (const char* const there :
         {"mkdir swish && cp kept swish/", "rm -r swish && cp kept swish", "rm swish && ln -s nowhere swish"}) {
        expect_success(there);
        const Ran ran = run("sluice new layer swish");
        EXPECT_EQ(ran.exit, 2) << there;
        EXPECT_NE(ran.text.find("swish exists already"), std::string::npos) << ran.text;
    }
    EXPECT_EQ(fs::read_symlink(folder() / "swish"), "nowhere");
    EXPECT_EQ(read_file(folder() / "kept"), "as it was");
}

TEST_F(New, names_what_to_install_if_there_are_no_templates) {
    expect_success("mkdir bin && cp -L $(command -v sluice) bin/host");
    const Ran ran = run("bin/host new layer swish");
    EXPECT_EQ(ran.exit, 2);
    EXPECT_NE(ran.text.find("install the package sluice-dev"), std::string::npos) << ran.text;
    EXPECT_FALSE(fs::exists(folder() / "swish"));
}

}  // namespace
}  // namespace sluice::test
