// Files that are written as a whole or not at all.
#include "base/files.hpp"

#include <optional>

#include "unit/folder_test.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;

class WholeFileTest : public FolderTest {
protected:
    static std::size_t files() { return static_cast<std::size_t>(std::distance(fs::directory_iterator("."), {})); }
};

TEST_F(WholeFileTest, may_be_written_by_several_at_once) {
    WholeFile first("text");
    WholeFile second("text");
    std::optional<WholeFile> third(std::in_place, "text");
    first.write("first");
    second.write("second");
    third->write("third");
    EXPECT_FALSE(fs::exists("text"));
    second.finish();
    EXPECT_EQ(read_file("text"), "second");
    first.finish();
    EXPECT_EQ(read_file("text"), "first");
    third.reset();
    EXPECT_EQ(files(), 1U);
}

TEST_F(WholeFileTest, may_have_a_name_as_long_as_names_may_be) {
    const std::string name(255, 'n');
    write_file_atomically(name, "text");
    EXPECT_EQ(read_file(name), "text");
    EXPECT_EQ(files(), 1U);
}

TEST_F(WholeFileTest, is_written_over_what_a_killed_process_has_left) {
    write("text.writing", "longer than what comes now");
    write_file_atomically("text", "short");
    EXPECT_EQ(read_file("text"), "short");
    EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace sluice
