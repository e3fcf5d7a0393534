// What job launchers set in the environment of their processes.
#include "base/process_place.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(process_place, counts_the_tasks_of_a_machine_as_slurm_writes_them) {
    EXPECT_EQ(tasks_on("2(x3),1", 0), 2);
    EXPECT_EQ(tasks_on("2(x3),1", 2), 2);
    EXPECT_EQ(tasks_on("2(x3),1", 3), 1);
    EXPECT_EQ(tasks_on("2(x3),1", 4), 1);
    EXPECT_EQ(tasks_on("4,16(x2)", 1), 16);
    EXPECT_EQ(tasks_on("", 0), 1);
    EXPECT_EQ(tasks_on("none", 0), 1);
}

TEST(process_place, knows_a_launcher_by_the_rank_that_it_sets) {
    EXPECT_TRUE(is_started_by_launcher({"HOME=/root", "OMPI_COMM_WORLD_RANK=1"}));
    EXPECT_TRUE(is_started_by_launcher({"PMIX_RANK=0"}));
    EXPECT_FALSE(is_started_by_launcher({"HOME=/root", "PMIX_RANKS=2", "SLURM_JOB_ID=7"}));
    EXPECT_FALSE(is_started_by_launcher({}));
}

}  // namespace
}  // namespace sluice
