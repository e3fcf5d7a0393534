// Names of the files of windows.
#include "profile/window_files.hpp"

#include <chrono>

#include "unit/folder_test.hpp"

namespace sluice::profile {
namespace {

class WindowFilesTest : public FolderTest {};

TEST_F(WindowFilesTest, are_known_by_their_names) {
    const auto first = parse_window_name("steps-000020-000024.json");
    ASSERT_TRUE(first);
    EXPECT_EQ(first->first_step, 20);
    EXPECT_EQ(first->last_step, 24);
    EXPECT_EQ(first->rank, 0U);
    EXPECT_EQ(parse_window_name("steps-1000000-1000004-rank-12.json")->rank, 12U);
    for (const char* const other :
         {"steps-000020.json", "steps-000020-000024.json.writing", "steps-000020-000024-rank-.json", "step-20-24.json",
          "steps-20-24-25.json", "steps--20-24.json", "steps-99999999999999999999-1.json", "", "steps-"}) {
        EXPECT_FALSE(parse_window_name(other)) << other;
    }
}

TEST_F(WindowFilesTest, are_found_in_a_run) {
    EXPECT_TRUE(find_windows("run").empty());
    EXPECT_EQ(newest_window({}), nullptr);
    for (const char* const name : {"steps-000020-000024.json", "steps-000003-000004.json",
                                   "steps-000020-000024-rank-1.json", "steps-000020-000024.json.writing", "notes"}) {
        write(std::filesystem::path("run/profile") / name, "{}");
    }
    const auto time = std::filesystem::last_write_time("run/profile/steps-000020-000024.json");
    // After a resume from an earlier checkpoint, the newest window is not the one of the latest steps.
    std::filesystem::last_write_time("run/profile/steps-000003-000004.json", time + std::chrono::seconds(5));
    std::filesystem::last_write_time("run/profile/steps-000020-000024-rank-1.json", time + std::chrono::seconds(9));
    const std::vector<WindowFile> files = find_windows("run");
    ASSERT_EQ(files.size(), 3U);
    EXPECT_EQ(files[0].first_step, 3);
    EXPECT_EQ(files[2].rank, 1U);
    EXPECT_EQ(newest_window(files)->first_step, 3);
    EXPECT_TRUE(other_ranks(files, files[0]).empty());
    ASSERT_EQ(other_ranks(files, files[1]).size(), 1U);
    EXPECT_EQ(other_ranks(files, files[1])[0].rank, 1U);
}

TEST_F(WindowFilesTest, of_a_file_in_place_of_the_folder_are_an_error) {
    write("run/profile", "no folder");
    EXPECT_ANY_THROW(static_cast<void>(find_windows("run")));
}

}  // namespace
}  // namespace sluice::profile
