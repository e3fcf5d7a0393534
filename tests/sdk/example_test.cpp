// The plugins of sdk/examples, each made as by its author: a project that `sluice new` wrote, with the author's files.
#include <algorithm>

#include "sdk_test.hpp"

namespace sluice::test {
namespace {

constexpr std::ptrdiff_t kMostLines = 150;

class Example : public Sdk {
protected:
    // `source` is the author's source file in the project.
    void write_project(const std::string& words, const std::string& name, const std::string& source) const {
        expect_success("sluice new " + words + "\ncp -r " SLUICE_TEST_SOURCE_DIR "/sdk/examples/" + name + " .");
        EXPECT_LT(std::ranges::count(read_file(folder() / name / source), '\n'), kMostLines);
    }
    // Checks the plugin with values from its manifest alone. Without them, no object could be created.
    void expect_checked(const std::string& plugin) const {
        const std::string output = expect_success("sluice check " + plugin + " --verbose");
        EXPECT_EQ(output.find(" failed"), std::string::npos) << output;
        EXPECT_NE(output.find(" passed  creates"), std::string::npos) << output;
    }
};

using SlowExample = Example;

TEST_F(SlowExample, hsv_jitter_in_cpp_is_checked_and_trains) {
    std::string commands = page("sh", "../examples/README.md").at(0);
    const std::size_t installed = commands.find("/usr/");
    ASSERT_NE(installed, std::string::npos) << commands;
    const std::string output = expect_success(commands.replace(installed, 5, SLUICE_TEST_PREFIX "/"));
    EXPECT_NE(output.find("finished"), std::string::npos) << output;
    EXPECT_LT(std::ranges::count(read_file(folder() / "hsv_jitter/hsv_jitter.cpp"), '\n'), kMostLines);
    expect_checked("hsv_jitter/build/hsv_jitter.so");
}

TEST_F(Example, log_cosh_in_cpp_is_checked_and_trains_and_is_judged) {
    write_project("layer log_cosh --lang cpp", "log_cosh", "log_cosh.cpp");
    expect_success(SLUICE_TEST_CMAKE " -S log_cosh -B build && " SLUICE_TEST_CMAKE " --build build");
    const std::string output = expect_success("sluice train log_cosh/pipeline.toml --plugin build/log_cosh.so");
    EXPECT_NE(output.find("  rmse 0."), std::string::npos) << output;
    expect_checked("build/log_cosh.so");
}

TEST_F(Example, csv_rows_in_rust_is_checked_and_learns) {
    if (std::string_view(SLUICE_TEST_CARGO).empty()) {
        GTEST_SKIP() << "cargo is not installed";
    }
    write_project("source csv_rows --lang rust", "csv_rows", "src/lib.rs");
    expect_success(SLUICE_TEST_CARGO " build --release --manifest-path csv_rows/Cargo.toml");
    const std::string plugin = "csv_rows/target/release/libcsv_rows.so";
    const std::string in_project = "cd csv_rows\n";
    const std::string train = "sluice train pipeline.toml --plugin ../" + plugin;
    expect_success(in_project + page("sh", "../examples/README.md").at(1) + "echo 0.5,b,1 >> points.csv\n");
    const Ran refused = run(in_project + train);
    EXPECT_EQ(refused.exit, 2);
    EXPECT_NE(refused.text.find("points.csv:1002: column 2 is 'b'"), std::string::npos) << refused.text;
    const std::string output = expect_success(in_project + "sed -i '$d' points.csv\n" + train);
    EXPECT_NE(output.find("finished"), std::string::npos) << output;
    // The host uses what the source reports of its samples, for balanced sampling and for the cache.
    const std::string more =
        " --steps 4 --set data.train.sampling.use=balanced"
        " --set 'data.train.map=[{use=\"cache\",in=\"disk\",folder=\"kept\"}]'";
    expect_success(in_project + train + more);
    expect_checked(plugin);
    expect_success(in_project + SLUICE_TEST_CARGO " test");
}

}  // namespace
}  // namespace sluice::test
