// A folder of its own for each test, and a shell in it that finds the installed Sluice.
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
    // Of a page in sdk/docs: the code blocks in that language, in their order.
    [[nodiscard]] static std::vector<std::string> page(const std::string& language,
                                                       const std::string& name = "building.md");
    // Writes the page's plugin and its CMakeLists.txt; each text to replace in a file must be there once.
    void write_hello(const std::map<std::string, std::pair<std::string, std::string>>& replacements = {}) const;

    // Ends at the first command that fails.
    [[nodiscard]] Ran run(const std::string& commands) const;
    std::string expect_success(const std::string& commands) const;
    // Configures and builds the project in the folder; it fails, with each of `parts` in what is told, and leaves no
    // plugin.
    void expect_build_refused(const std::vector<std::string>& parts) const;
    // The symbols that a library defines for others.
    [[nodiscard]] std::string exports(const std::string& library) const;

private:
    std::filesystem::path folder_;
};

std::string read_file(const std::filesystem::path& file);

}  // namespace sluice::test
