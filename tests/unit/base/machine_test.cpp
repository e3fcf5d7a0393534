// Cores and memory of the machine, within limits that hold everywhere.
#include <gtest/gtest.h>

#include <thread>

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

TEST(machine, folders_of_cgroups_lead_from_the_process_to_the_mount) {
    for (const std::string controller : {"cpu", "memory", ""}) {
        const std::vector<std::filesystem::path> folders = cgroup_folders(controller);
        ASSERT_FALSE(folders.empty());
        EXPECT_EQ(folders.back(), std::filesystem::path("/sys/fs/cgroup") / controller);
        for (std::size_t i = 1; i + 1 < folders.size(); ++i) {
            EXPECT_EQ(folders[i], folders[i - 1].parent_path());
        }
    }
}

}  // namespace
}  // namespace sluice
