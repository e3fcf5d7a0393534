// Pipeline files of a test.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "config/load.hpp"
#include "unit/folder_test.hpp"

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

// Returns kShortest with `piece` replaced by `other`.
inline std::string with(const std::string& piece, const std::string& other) {
    std::string text = kShortest;
    const std::size_t at = text.find(piece);
    EXPECT_NE(at, std::string::npos) << piece;
    return at == std::string::npos ? text : text.replace(at, piece.size(), other);
}

class ConfigTest : public FolderTest {
protected:
    static PipelineSpec load(const std::string& text, const std::vector<std::string>& sets = {}) {
        write("a.toml", text);
        return load_pipeline("a.toml", sets);
    }

    // Returns the message about a pipeline that does not load.
    static std::string refusal(const std::string& text, const std::vector<std::string>& sets = {}) {
        try {
            load(text, sets);
        } catch (const Error& error) {
            EXPECT_EQ(error.exit(), Exit::config);
            return error.what();
        }
        return "it loads";
    }
};

}  // namespace sluice::config
