// What a run that resumes finds in its folder.
#include "run/train/run_folder.hpp"

#include "base/files.hpp"
#include "unit/folder_test.hpp"

namespace sluice::run {
namespace {

class RunFolderTest : public FolderTest {
protected:
    static std::string checkpoint(const std::string& name) {
        const std::filesystem::path file = std::filesystem::path("run/checkpoints") / name;
        return std::filesystem::exists(file) ? read_file(file) : "none";
    }
};

TEST_F(RunFolderTest, cleaned_up_has_the_checkpoints_up_to_the_step_of_a_resume) {
    const RunFolder folder = RunFolder::create({}, {}, "run");
    for (const char* const step : {"2", "4", "6"}) {
        write(folder.checkpoints() / ("step-0000000" + std::string(step) + ".safetensors"), step);
    }
    write(folder.checkpoints() / "last.safetensors", "6");
    write(folder.checkpoints() / "best.safetensors", "torn");
    write(folder.checkpoints() / "step-00000008.safetensors.writing", "8");
    clean_up(folder,
             {.step = 4, .moves_newer = true, .best = folder.checkpoints() / "step-00000002.safetensors", .keep = 1});
    EXPECT_EQ(checkpoint("last.safetensors"), "4");
    EXPECT_EQ(checkpoint("best.safetensors"), "2");
    EXPECT_EQ(checkpoint("step-00000002.safetensors"), "none");
    EXPECT_EQ(checkpoint("step-00000004.safetensors"), "4");
    EXPECT_EQ(checkpoint("step-00000006.safetensors"), "none");
    EXPECT_EQ(checkpoint("step-00000008.safetensors.writing"), "none");
    EXPECT_EQ(checkpoint("left/step-00000006.safetensors"), "6");
    EXPECT_EQ(checkpoint("left/best.safetensors"), "torn");
}

}  // namespace
}  // namespace sluice::run
