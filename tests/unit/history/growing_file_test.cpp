// Lines of a file that another process writes.
#include "history/growing_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "unit/folder_test.hpp"

namespace sluice::history {
namespace {

using Lines = std::vector<std::string>;

class GrowingFileTest : public FolderTest {
protected:
    static void append(const std::string& text) { std::ofstream("file", std::ios::app) << text; }
};

TEST_F(GrowingFileTest, gives_each_whole_line_once) {
    GrowingFile file(".", "file");
    EXPECT_EQ(file.read().lines, Lines{});
    append("one\ntwo\nthr");
    EXPECT_EQ(file.read().lines, (Lines{"one", "two"}));
    EXPECT_EQ(file.read().lines, Lines{});
    append("ee\n\n");
    EXPECT_EQ(file.read().lines, (Lines{"three", ""}));
}

TEST_F(GrowingFileTest, starts_over_if_the_file_is_replaced_or_cut) {
    GrowingFile file(".", "file");
    append("one\ntwo\n");
    EXPECT_FALSE(file.read().is_new_file);
    std::ofstream("other") << "one\nnew\nlonger than before\n";
    std::filesystem::rename("other", "file");
    const GrowingFile::News replaced = file.read();
    EXPECT_TRUE(replaced.is_new_file);
    EXPECT_EQ(replaced.lines, (Lines{"one", "new", "longer than before"}));
    std::filesystem::resize_file("file", 4);
    const GrowingFile::News cut = file.read();
    EXPECT_TRUE(cut.is_new_file);
    EXPECT_EQ(cut.lines, Lines{"one"});
    std::filesystem::remove("file");
    EXPECT_TRUE(file.read().is_new_file);
    EXPECT_FALSE(file.read().is_new_file);
}

// File systems give the number of a removed file to the next one.
TEST_F(GrowingFileTest, starts_over_if_another_file_has_the_same_inode) {
    GrowingFile file(".", "file");
    append("one\ntwo\n");
    static_cast<void>(file.read());
    std::ofstream("file", std::ios::in | std::ios::out) << "new\nand longer\n";
    const GrowingFile::News news = file.read();
    EXPECT_TRUE(news.is_new_file);
    EXPECT_EQ(news.lines, (Lines{"new", "and longer"}));
}

TEST_F(GrowingFileTest, leaves_out_lines_that_are_too_long) {
    GrowingFile file(".", "file");
    append("one\n" + std::string(3 << 20, 'x'));
    EXPECT_EQ(file.read().lines, Lines{"one"});
    append("the end of it\ntwo\n");
    EXPECT_EQ(file.read().lines, Lines{"two"});
}

TEST_F(GrowingFileTest, gives_many_lines_in_parts) {
    GrowingFile file(".", "file");
    std::string text;
    for (int line = 0; line < 3 << 20; ++line) {
        text += "1234567\n";
    }
    append(text);
    std::size_t lines = 0;
    int parts = 0;
    for (GrowingFile::News news{.has_more = true}; news.has_more; ++parts) {
        news = file.read();
        lines += news.lines.size();
    }
    EXPECT_EQ(lines, std::size_t{3} << 20U);
    EXPECT_GT(parts, 1);
}

TEST_F(GrowingFileTest, fails_if_it_cannot_be_read) {
    std::filesystem::create_directory("file");
    try {
        static_cast<void>(GrowingFile(".", "file").read());
        FAIL() << "a folder was read";
    } catch (const Error& error) {
        EXPECT_EQ(error.exit(), Exit::config);
        EXPECT_NE(std::string(error.what()).find("file: cannot be read"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace sluice::history
