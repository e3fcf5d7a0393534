// A folder of pipeline files for one test, which runs inside it, so that messages hold short names.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "config/load.hpp"

namespace sluice::config {

// The shortest pipeline that loads. Tests that look for a place count these lines.
inline const std::string kShortest =
    "version = 1\n"                                             // 1
    "[data]\n"                                                  // 2
    "batch = 4\n"                                               // 3
    "[data.train]\n"                                            // 4
    "source = { use = \"dead_leaves\", count = 16 }\n"          // 5
    "map = [{ use = \"random_flip\" }]\n"                       // 6
    "[model]\n"                                                 // 7
    "input = \"blurred\"\n"                                     // 8
    "target = \"sharp\"\n"                                      // 9
    "layers = [\n"                                              // 10
    "  { type = \"conv2d\", filters = 3, name = \"stem\" },\n"  // 11
    "  { type = \"relu\" },\n"                                  // 12
    "]\n"                                                       // 13
    "[loss]\n"                                                  // 14
    "use = \"mean_absolute_error\"\n"                           // 15
    "[optimizer]\n"                                             // 16
    "use = \"adam\"\n";                                         // 17

// kShortest with one piece of its text exchanged.
inline std::string with(const std::string& piece, const std::string& other) {
    std::string text = kShortest;
    const std::size_t at = text.find(piece);
    EXPECT_NE(at, std::string::npos) << piece;
    return at == std::string::npos ? text : text.replace(at, piece.size(), other);
}

class ConfigTest : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (std::filesystem::temp_directory_path() / "config_test_XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
        before_ = std::filesystem::current_path();
        std::filesystem::current_path(folder_);
    }
    void TearDown() override {
        std::filesystem::current_path(before_);
        std::filesystem::remove_all(folder_);
    }

    static void write(const std::filesystem::path& file, const std::string& text) {
        if (file.has_parent_path()) {
            std::filesystem::create_directories(file.parent_path());
        }
        std::ofstream(file) << text;
    }

    static PipelineSpec load(const std::string& text, const std::vector<std::string>& sets = {}) {
        write("a.toml", text);
        return load_pipeline("a.toml", sets);
    }

    // What is said of a pipeline that does not load.
    static std::string refusal(const std::string& text, const std::vector<std::string>& sets = {}) {
        try {
            load(text, sets);
        } catch (const Error& error) {
            EXPECT_EQ(error.exit(), Exit::config);
            return error.what();
        }
        return "it loads";
    }

private:
    std::filesystem::path folder_;
    std::filesystem::path before_;
};

}  // namespace sluice::config
