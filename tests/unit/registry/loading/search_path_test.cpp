#include "registry/loading/search_path.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "unit/registry/registry_files.hpp"

namespace sluice::registry {
namespace {

namespace fs = std::filesystem;

TEST(SearchPath, refuses_a_missing_entry_of_the_command_line) {
    const std::vector<std::string> given{"/nowhere/x.so"};
    EXPECT_EQ(test::error_of([&] { (void)plugin_search_path(given); }, Exit::plugin),
              "--plugin /nowhere/x.so: there is no such file or folder");
}

TEST(SearchPath, is_command_line_then_environment_then_home) {
    const test::ScratchFolder scratch;
    fs::create_directories(scratch.path() / "data/sluice/plugins");
    fs::create_directories(scratch.path() / "b");
    ::setenv("SLUICE_PLUGIN_PATH", ((scratch.path() / "b").string() + ":/nowhere").c_str(), 1);
    ::setenv("XDG_DATA_HOME", (scratch.path() / "data").c_str(), 1);
    const std::vector<std::string> given{scratch.path().string()};
    const std::vector<fs::path> expected{scratch.path(), scratch.path() / "b", scratch.path() / "data/sluice/plugins"};
    EXPECT_EQ(plugin_search_path(given), expected);
    ::unsetenv("SLUICE_PLUGIN_PATH");
    ::unsetenv("XDG_DATA_HOME");
}

}  // namespace
}  // namespace sluice::registry
