// Folders of trainings that are only measured do not outlive them for long.
#include "diagnose/trial/scratch_folder.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "base/files.hpp"
#include "base/temporary_folder.hpp"

namespace sluice::diagnose {
namespace {

namespace fs = std::filesystem;

void make_old(const fs::path& folder) {
    fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::hours(1));
}

TEST(ScratchFolder, is_removed_at_the_end_of_its_scope) {
    const TemporaryFolder parent(fs::temp_directory_path(), "scratch-");
    fs::path path;
    {
        const ScratchFolder scratch(parent.path(), ".x-");
        path = scratch.path();
        EXPECT_TRUE(fs::is_directory(path));
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST(ScratchFolder, removes_those_of_killed_processes_only) {
    const TemporaryFolder parent(fs::temp_directory_path(), "scratch-");
    const ScratchFolder alive(parent.path(), ".x-");
    const fs::path left = parent.path() / ".x-left";
    const fs::path fresh = parent.path() / ".x-fresh";
    const fs::path foreign = parent.path() / ".x-foreign";  // has no lock file, so nobody knows whose it is
    for (const fs::path& folder : {left, fresh, foreign}) {
        fs::create_directory(folder);
    }
    write_file_atomically(left / "in_use", "");
    write_file_atomically(fresh / "in_use", "");
    make_old(alive.path());
    make_old(left);
    make_old(foreign);
    const ScratchFolder next(parent.path(), ".x-");
    EXPECT_TRUE(fs::exists(alive.path()));
    EXPECT_FALSE(fs::exists(left));
    EXPECT_TRUE(fs::exists(fresh));
    EXPECT_TRUE(fs::exists(foreign));
}

}  // namespace
}  // namespace sluice::diagnose
