// Folders of cgroups: the process's own first, the mount last.
#include "base/cgroup.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Cgroup, folders_lead_from_the_process_to_the_mount) {
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
