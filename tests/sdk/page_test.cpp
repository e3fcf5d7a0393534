// The commands and files of the pages on building and checking plugins, used as they are.
#include <algorithm>

#include "sdk_test.hpp"

namespace sluice::test {
namespace {

TEST_F(Sdk, page_builds_by_hand_what_the_host_runs) {
    const std::vector<std::string> shell = page("sh");
    ASSERT_EQ(shell.size(), 3U);
    EXPECT_LE(std::ranges::count(shell[1], '\n'), 20);
    write("hello.c", page("c").at(0));
    write("plugin.toml", page("toml").at(0));
    const std::string shown = expect_success(shell[1]);
    EXPECT_NE(shown.find("observer 'hello' (com.example.observer.hello, com.example.hello 1.0.0)"), std::string::npos)
        << shown;
    const std::string output = expect_success(shell.back());
    EXPECT_NE(output.find("hello from C after 2 steps"), std::string::npos) << output;
}

TEST_F(Sdk, page_begins_with_four_commands_from_nothing_to_a_training) {
    const std::string output = expect_success(page("sh").front());
    EXPECT_NE(output.find("wrote vignette"), std::string::npos) << output;
    EXPECT_EQ(output.find(" failed"), std::string::npos) << output;
    EXPECT_NE(output.find("finished"), std::string::npos) << output;
}

TEST_F(Sdk, page_trains_with_checked_calls) {
    write_hello();
    expect_success(SLUICE_TEST_CMAKE " -B build && " SLUICE_TEST_CMAKE " --build build && cp build/hello.so .");
    expect_success(
        "printf 'version = 1\\ninclude = \"%s\"\\n[train]\\nsteps = 2\\n[observe]\\nuse = "
        "[\"hello\"]\\n' " SLUICE_TEST_PREFIX "/" SLUICE_TEST_DATA_DIR "/sluice/pipelines/deblur.toml > pipeline.toml");
    const std::string output = expect_success(page("sh", "checking.md").at(1));
    EXPECT_NE(output.find("hello from C after 2 steps"), std::string::npos) << output;
}

TEST_F(Sdk, page_builds_with_cmake_in_a_project_of_c_alone) {
    write_hello();
    expect_success(SLUICE_TEST_CMAKE " -B build && " SLUICE_TEST_CMAKE " --build build");
    EXPECT_EQ(exports("build/hello.so"), "sluice_plugin_v1\n");
    expect_success("sluice plugins show build/hello.so");
}

TEST_F(Sdk, page_checks_the_plugin_that_was_built) {
    write_hello();
    expect_success(SLUICE_TEST_CMAKE " -B build && " SLUICE_TEST_CMAKE " --build build && cp build/hello.so .");
    const std::string output = expect_success(page("sh", "checking.md").at(0));
    EXPECT_NE(output.find("hello                observer         "), std::string::npos) << output;
    EXPECT_NE(output.find("1 passed\nseed 1"), std::string::npos) << output;
    EXPECT_EQ(output.find(" failed,"), std::string::npos) << output;
    EXPECT_NE(output.find("source.any_order"), std::string::npos) << output;
    expect_success("grep -q '\"case\":\"observer.run\"' found.json");
}

TEST_F(Sdk, page_names_where_the_host_looks) {
    write_hello();
    expect_success(SLUICE_TEST_CMAKE " -B build -D SLUICE_PLUGIN_DIR=$PWD/installed && " SLUICE_TEST_CMAKE
                                     " --build build && " SLUICE_TEST_CMAKE " --install build");
    for (const char* const found : {"sluice plugins --plugin installed", "sluice plugins --plugin installed/hello.so",
                                    "SLUICE_PLUGIN_PATH=/nowhere:installed sluice plugins",
                                    "mkdir -p $XDG_DATA_HOME/sluice/plugins; cp installed/hello.so "
                                    "$XDG_DATA_HOME/sluice/plugins; sluice plugins"}) {
        const std::string output = expect_success(found);
        EXPECT_NE(output.find("com.example.hello 1.0.0  Says hello"), std::string::npos) << found << "\n" << output;
    }
    const std::string folder = expect_success("pkg-config --variable=pluginsdir sluice");
    EXPECT_TRUE(std::filesystem::equivalent(folder.substr(0, folder.find('\n')),
                                            SLUICE_TEST_PREFIX "/" SLUICE_TEST_PLUGIN_DIR));
}

}  // namespace
}  // namespace sluice::test
