// Cores and memory of the machine, within limits that hold everywhere, and what job launchers report.
#include <gtest/gtest.h>

#include <thread>

#include "base/job.hpp"
#include "base/machine.hpp"

namespace sluice {
namespace {

TEST(machine, has_a_core_and_no_more_than_the_hardware) {
    EXPECT_GE(usable_cores(), 1);
    EXPECT_LE(usable_cores(), static_cast<int>(std::thread::hardware_concurrency()));
}

TEST(machine, has_memory_left) {
    EXPECT_GT(available_memory(), std::uint64_t{1} << 24);
    EXPECT_LT(available_memory(), std::uint64_t{1} << 50);
}

TEST(job, has_as_many_processes_on_a_machine_as_slurm_says) {
    EXPECT_EQ(tasks_on("2(x3),1", 0), 2);
    EXPECT_EQ(tasks_on("2(x3),1", 2), 2);
    EXPECT_EQ(tasks_on("2(x3),1", 3), 1);
    EXPECT_EQ(tasks_on("2(x3),1", 4), 1);
    EXPECT_EQ(tasks_on("4,16(x2)", 1), 16);
    EXPECT_EQ(tasks_on("", 0), 1);
    EXPECT_EQ(tasks_on("none", 0), 1);
}

TEST(job, is_known_by_the_number_that_a_launcher_gives) {
    EXPECT_TRUE(is_started_by_launcher({"HOME=/root", "OMPI_COMM_WORLD_RANK=1"}));
    EXPECT_TRUE(is_started_by_launcher({"PMIX_RANK=0"}));
    EXPECT_FALSE(is_started_by_launcher({"HOME=/root", "PMIX_RANKS=2", "SLURM_JOB_ID=7"}));
    EXPECT_FALSE(is_started_by_launcher({}));
}

}  // namespace
}  // namespace sluice
