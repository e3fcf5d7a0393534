#include "sdk_test.hpp"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "temporary_folder.hpp"

namespace sluice::test {

namespace fs = std::filesystem;

std::string read_file(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    EXPECT_TRUE(stream) << file;
    return {std::istreambuf_iterator<char>(stream), {}};
}

Sdk::Sdk() : folder_(make_temporary_folder()) {}

Sdk::~Sdk() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

void Sdk::write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
}

std::vector<std::string> Sdk::page(const std::string& language, const std::string& name) {
    std::istringstream lines(read_file(SLUICE_TEST_SOURCE_DIR "/sdk/docs/" + name));
    std::vector<std::string> blocks;
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (inside && line == "```") {
            inside = false;
        } else if (inside) {
            blocks.back() += line + "\n";
        } else if (line == "```" + language) {
            inside = true;
            blocks.emplace_back();
        }
    }
    return blocks;
}

void Sdk::write_hello(const std::map<std::string, std::pair<std::string, std::string>>& replacements) const {
    for (const auto& [name, language] :
         std::map<std::string, std::string>{{"hello.c", "c"}, {"plugin.toml", "toml"}, {"CMakeLists.txt", "cmake"}}) {
        std::string text = page(language).at(0);
        if (const auto change = replacements.find(name); change != replacements.end()) {
            const auto& [from, to] = change->second;
            const std::size_t at = text.find(from);
            ASSERT_NE(at, std::string::npos) << from;
            ASSERT_EQ(text.find(from, at + 1), std::string::npos) << from;
            text.replace(at, from.size(), to);
        }
        write(name, text);
    }
}

Ran Sdk::run(const std::string& commands) const {
    write("commands", "cd '" + folder_.string() + "'\n" + R"(
export PATH=)" SLUICE_TEST_PREFIX "/" SLUICE_TEST_BIN_DIR R"(:$PATH
export PKG_CONFIG_PATH=)" SLUICE_TEST_PREFIX "/" SLUICE_TEST_DATA_DIR R"(/pkgconfig
export CMAKE_PREFIX_PATH=)" SLUICE_TEST_PREFIX R"(
export CMAKE_GENERATOR=')" SLUICE_TEST_GENERATOR R"('
export XDG_DATA_HOME=$PWD/data XDG_CACHE_HOME=$PWD/cache
export CARGO_NET_OFFLINE=true
unset SLUICE_PLUGIN_PATH CARGO_TARGET_DIR RUSTFLAGS
)" + commands);
    const std::string printed = (folder_ / "printed").string();
    const int status = std::system(("sh -e " + (folder_ / "commands").string() + " > " + printed + " 2>&1").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(printed)};
}

std::string Sdk::expect_success(const std::string& commands) const {
    const Ran ran = run(commands);
    EXPECT_EQ(ran.exit, 0) << commands << "\n" << ran.text;
    return ran.text;
}

void Sdk::expect_build_refused(const std::vector<std::string>& parts) const {
    const Ran ran = run(SLUICE_TEST_CMAKE " -B build && " SLUICE_TEST_CMAKE " --build build");
    EXPECT_NE(ran.exit, 0);
    for (const std::string& part : parts) {
        EXPECT_NE(ran.text.find(part), std::string::npos) << part << "\n" << ran.text;
    }
    EXPECT_FALSE(fs::exists(folder_ / "build/hello.so"));
}

std::string Sdk::exports(const std::string& library) const {
    return expect_success("nm --dynamic --defined-only --format=just-symbols " + library);
}

}  // namespace sluice::test
