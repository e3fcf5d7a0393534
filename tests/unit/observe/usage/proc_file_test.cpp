// Files of /proc: kept open, read again and again, and searched for numbers.
#include "observe/usage/proc_file.hpp"

#include <string>

#include "unit/folder_test.hpp"

namespace sluice::observe {
namespace {

class ProcFileTest : public FolderTest {
protected:
    ProcBuffer buffer_{};
};

TEST_F(ProcFileTest, shows_the_present_text) {
    write("io", "read_bytes: 1\n");
    const ProcFile file("io");
    EXPECT_TRUE(file.is_open());
    EXPECT_EQ(file.read(buffer_), "read_bytes: 1\n");
    write("io", "read_bytes: 23\n");
    EXPECT_EQ(file.read(buffer_), "read_bytes: 23\n");
}

TEST_F(ProcFileTest, a_missing_file_is_empty) {
    const ProcFile file("none");
    EXPECT_FALSE(file.is_open());
    EXPECT_EQ(file.read(buffer_), "");
}

TEST_F(ProcFileTest, a_file_that_cannot_be_read_is_empty) {
    std::filesystem::create_directory("folder");  // it can be opened, but not read
    const ProcFile file("folder");
    EXPECT_EQ(file.read(buffer_), "");
}

TEST_F(ProcFileTest, cuts_off_what_the_buffer_cannot_hold) {
    write("long", std::string(buffer_.size() + 10, 'x'));
    EXPECT_EQ(ProcFile("long").read(buffer_).size(), buffer_.size());
}

TEST_F(ProcFileTest, keeps_its_file_when_it_is_moved) {
    write("one", "1");
    ProcFile first("one");
    ProcFile second(std::move(first));
    EXPECT_EQ(second.read(buffer_), "1");
}

TEST(ProcNumbers, come_one_after_the_other) {
    const std::string_view text = " 12 abc 0 18446744073709551615 99999999999999999999 ";
    std::size_t at = 0;
    EXPECT_EQ(next_number(text, at), 12U);
    EXPECT_EQ(next_number(text, at), 0U);
    EXPECT_EQ(next_number(text, at), 18446744073709551615U);
    EXPECT_FALSE(next_number(text, at).has_value());  // too large
    EXPECT_FALSE(next_number(text, at).has_value());  // the end
}

TEST(ProcNumbers, belong_to_a_key_at_the_start_of_a_line) {
    const std::string_view text =
        "cancelled_write_bytes: 1\nwrite_bytes: 2\nnr_throttled 3\nread_bytes_more: 4\nempty:\n";
    EXPECT_EQ(number_of(text, "write_bytes"), 2U);
    EXPECT_EQ(number_of(text, "nr_throttled"), 3U);
    EXPECT_FALSE(number_of(text, "read_bytes").has_value());
    EXPECT_FALSE(number_of(text, "empty").has_value());
    EXPECT_FALSE(number_of("", "empty").has_value());
}

}  // namespace
}  // namespace sluice::observe
