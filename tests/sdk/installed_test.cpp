// What lies in the folder after installation.
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
    const std::string told = expect_success("sluice plugins && sluice plan deblur.toml");
    EXPECT_NE(told.find("sluice.reference"), std::string::npos) << told;
    EXPECT_EQ(told.find("refused"), std::string::npos) << told;
    EXPECT_EQ(told.find("test."), std::string::npos) << told;
}

}  // namespace
}  // namespace sluice::test
