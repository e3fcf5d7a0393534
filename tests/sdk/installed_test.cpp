// The contents of the folder after installation.
#include "sdk_test.hpp"

namespace sluice::test {
namespace {

namespace fs = std::filesystem;

TEST_F(Sdk, installed_files_know_nothing_of_the_build) {
    for (const auto& file : fs::recursive_directory_iterator(SLUICE_TEST_PREFIX)) {
        if (!file.is_regular_file()) {
            continue;
        }
        const std::string text = read_file(file.path());
        EXPECT_EQ(text.find(SLUICE_TEST_BUILD_DIR "/"), std::string::npos) << file.path();
        EXPECT_EQ(text.find(SLUICE_TEST_SOURCE_DIR "/"), std::string::npos) << file.path();
        EXPECT_EQ(file.status().permissions() & (fs::perms::group_write | fs::perms::others_write), fs::perms::none);
    }
}

TEST_F(Sdk, installed_plugins_look_for_libraries_nowhere_else) {
    for (const auto& plugin : fs::directory_iterator(SLUICE_TEST_PREFIX "/" SLUICE_TEST_PLUGIN_DIR)) {
        const std::string dynamic = expect_success("readelf --wide --dynamic " + plugin.path().string());
        EXPECT_EQ(dynamic.find("RUNPATH"), std::string::npos) << plugin.path();
        EXPECT_EQ(dynamic.find("RPATH"), std::string::npos) << plugin.path();
    }
}

TEST_F(Sdk, installed_host_is_called_sluice) {
    const std::string output = expect_success("sluice plugins && sluice plan deblur.toml");
    EXPECT_NE(output.find("sluice.reference"), std::string::npos) << output;
    EXPECT_EQ(output.find("refused"), std::string::npos) << output;
    EXPECT_EQ(output.find("test."), std::string::npos) << output;
}

// Installed, the program is called `sluice`, because `host` is another program.
TEST_F(Sdk, installed_host_calls_itself_sluice) {
    const std::string file = (fs::canonical(SLUICE_TEST_PREFIX "/" SLUICE_TEST_BIN_DIR "/sluice")).string();
    for (const std::string& started : {std::string("sluice"), file}) {
        const std::string help = expect_success(started + " --help; " + started + " plan --help");
        EXPECT_NE(help.find("`sluice COMMAND --help` lists"), std::string::npos) << help;
        EXPECT_NE(help.find("\nsluice plan FILE\n"), std::string::npos) << help;
        EXPECT_EQ(help.find("host "), std::string::npos) << help;
        const Ran ran = run(started + " prepare");
        EXPECT_NE(ran.text.find("`sluice prepare FILE --out FOLDER` needs both"), std::string::npos) << ran.text;
    }
    expect_success("ln -s " SLUICE_TEST_BUILD_DIR "/" SLUICE_TEST_HOST_DIR "/host sluice");
    EXPECT_NE(expect_success("./sluice plan --help").find("sluice plan FILE"), std::string::npos);
    EXPECT_NE(expect_success(SLUICE_TEST_BUILD_DIR "/" SLUICE_TEST_HOST_DIR "/host plan --help").find("host plan FILE"),
              std::string::npos);
}

TEST_F(Sdk, installed_files_call_the_program_sluice) {
    for (const auto& file : fs::recursive_directory_iterator(SLUICE_TEST_PREFIX)) {
        const std::string text = file.is_regular_file() ? read_file(file.path()) : "";
        for (const char* const word : {"`host ", "mpirun -n 4 host"}) {
            EXPECT_EQ(text.find(word), std::string::npos) << file.path();
        }
    }
}

}  // namespace
}  // namespace sluice::test
