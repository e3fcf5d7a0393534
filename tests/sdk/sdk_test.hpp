// Fixture that gives each test a folder of its own, and a shell in it that finds the installed Sluice.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::test {

struct Ran {
    int exit = -1;
    std::string text;  // standard output and error
};

class Sdk : public testing::Test {
protected:
    Sdk();
    ~Sdk() override;

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    void write(const std::string& name, std::string_view text) const;
    // Returns the code blocks in `language` of a page in sdk/docs, in their order.
    [[nodiscard]] static std::vector<std::string> page(const std::string& language,
                                                       const std::string& name = "building.md");
    // Writes the page's plugin and its CMakeLists.txt. Each text to replace must occur once in its file.
    void write_hello(const std::map<std::string, std::pair<std::string, std::string>>& replacements = {}) const;

    // Runs the commands until the first one fails.
    [[nodiscard]] Ran run(const std::string& commands) const;
    std::string expect_success(const std::string& commands) const;
    // Configures and builds the project in the folder. Expects that this fails with each of `parts` in the output, and
    // leaves no plugin.
    void expect_build_refused(const std::vector<std::string>& parts) const;
    // Returns the symbols that a library exports.
    [[nodiscard]] std::string exports(const std::string& library) const;

private:
    std::filesystem::path folder_;
};

std::string read_file(const std::filesystem::path& file);

}  // namespace sluice::test
