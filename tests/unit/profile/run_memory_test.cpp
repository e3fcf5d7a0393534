// The memory of a run from the files of its folder, which may be missing or torn.
#include "profile/run_memory.hpp"

#include <gtest/gtest.h>

#include "unit/folder_test.hpp"

namespace sluice::profile {
namespace {

class RunMemoryTest : public FolderTest {
protected:
    // A row each second, with so many bytes more each time.
    static std::string usage(int seconds, int rise) {
        std::string text = "unix_seconds,seconds,step,resident_bytes\n";
        for (int i = 0; i < seconds; ++i) {
            text += std::to_string(1790000000 + i) + "," + std::to_string(i) + "," + std::to_string(10 * i) + "," +
                    std::to_string(1'000'000'000 + rise * i) + "\n";
        }
        return text;
    }
};

TEST_F(RunMemoryTest, warns_of_a_growth) {
    write("usage.csv", usage(300, 200'000));
    EXPECT_EQ(growth_warning("."),
              "./usage.csv: the resident memory grew steadily: 720.0 MB per hour, 20.00 MB per 1000 steps, in the last "
              "2 min; "
              "a longer run may fill the memory, so look for what a plugin keeps from step to step");
}

TEST_F(RunMemoryTest, warns_of_nothing_else) {
    EXPECT_EQ(growth_warning("."), "");
    EXPECT_EQ(growth_warning("none"), "");
    EXPECT_EQ(growth_warning(""), "");
    write("usage.csv", usage(300, 0));
    EXPECT_EQ(growth_warning("."), "");
    write("usage.csv", usage(60, 200'000));
    EXPECT_EQ(growth_warning("."), "");
    std::filesystem::remove("usage.csv");
    std::filesystem::create_directory("usage.csv");
    EXPECT_EQ(growth_warning("."), "");
}

TEST_F(RunMemoryTest, has_what_the_files_have) {
    write("usage.csv", usage(3, 100));
    EXPECT_FALSE(read_run_memory(".").predicted);
    write("plan.txt", "parameters  1.0 k\nmemory      1.5 KiB: arena 1.0 KiB, parameters 512 B\n");
    const RunMemory memory = read_run_memory(".");
    EXPECT_EQ(memory.series.bytes.size(), 3U);
    EXPECT_FALSE(memory.growth);
    ASSERT_TRUE(memory.predicted);
    EXPECT_EQ(memory.predicted->bytes, 1536U);
    EXPECT_EQ(memory.predicted->text, "1.5 KiB: arena 1.0 KiB, parameters 512 B");
}

TEST_F(RunMemoryTest, a_growth_needs_no_steps) {
    EXPECT_EQ(growth_text({.bytes_per_second = 1e5, .bytes_per_step = 0.0, .bytes = 1e9, .seconds = 300.0}),
              "360.0 MB per hour, in the last 5 min");
}

TEST(PredictedMemory, needs_a_size) {
    for (const char* const text :
         {"", "memory", "memory ", "memory      ", "memory\n      1 MiB", "memory  much: arena", "memoryless 3 MiB: x",
          "arena memory 3 MiB: x", "memory  -3 MiB: x", "memory  : x"}) {
        EXPECT_FALSE(predicted_memory(text)) << text;
    }
    EXPECT_EQ(predicted_memory("memory  ?\nmemory  2.0 MiB: a\x1b[31m")->text, "2.0 MiB: a?[31m");
    EXPECT_EQ(predicted_memory("memory 3 B")->bytes, 3U);
}

}  // namespace
}  // namespace sluice::profile
