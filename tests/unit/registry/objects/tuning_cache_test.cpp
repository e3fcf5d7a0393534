// The choices of kernel tuning are kept on disk for other runs, and in checkpoints for the same run.
#include <gtest/gtest.h>

#include "registry/objects/tuning_cache.hpp"
#include "unit/registry/registry_files.hpp"

namespace sluice::registry {
namespace {

class TuningCacheTest : public testing::Test {
protected:
    void remember(const std::string& key, const std::string& choice) const {
        TuningCache choices(file_, true);
        choices.remember("onednn", key, choice);
        choices.save();
    }
    [[nodiscard]] std::string recall(const std::string& key, bool measure = true) const {
        return TuningCache(file_, measure).recall("onednn", key);
    }

    const test::ScratchFolder scratch_;
    const std::filesystem::path file_ = scratch_.path() / "cache" / "kernels.tsv";
};

TEST_F(TuningCacheTest, is_shared_by_runs) {
    TuningCache first(file_, true);
    TuningCache second(file_, true);
    first.remember("onednn", "conv 3x3 avx512", "winograd");
    second.remember("onednn", "conv 1x1 avx512", "direct");
    first.save();
    second.save();  // it has read the file before `first` wrote it
    EXPECT_EQ(recall("conv 3x3 avx512"), "winograd");
    EXPECT_EQ(recall("conv 1x1 avx512"), "direct");
    EXPECT_EQ(recall("conv 3x3 avx2"), "");
    EXPECT_EQ(TuningCache(file_, true).recall("reference", "conv 3x3 avx512"), "") << "keys belong to one provider";
}

TEST_F(TuningCacheTest, is_left_alone_if_nothing_may_be_measured) {
    remember("conv", "direct");
    EXPECT_EQ(recall("conv", false), "");
    TuningCache choices(file_, false);
    choices.remember("onednn", "conv", "winograd");
    choices.save();
    EXPECT_EQ(recall("conv"), "direct");
}

TEST_F(TuningCacheTest, is_written_anew_when_torn) {
    remember("conv 3x3", "winograd");
    const std::string whole = read_file(file_);
    for (const std::size_t length : {std::size_t{0}, std::size_t{5}, whole.size() / 2, whole.size() - 3}) {
        (void)scratch_.write("cache/kernels.tsv", whole.substr(0, length));
        EXPECT_EQ(recall("conv 3x3"), "") << length;
    }
    remember("conv 3x3", "winograd");
    EXPECT_EQ(read_file(file_), whole);
}

TEST_F(TuningCacheTest, is_not_needed) {
    (void)scratch_.write("cache", "a file where the folder should be");
    TuningCache choices(file_, true);
    choices.remember("onednn", "conv", "direct");
    choices.save();
    EXPECT_EQ(choices.recall("onednn", "conv"), "direct");
}

TEST_F(TuningCacheTest, that_cannot_be_used_is_warned_of_once) {
    (void)scratch_.write("cache", "a file where the folder should be");
    testing::internal::CaptureStderr();
    TuningCache choices(file_, true);
    for (const char* const key : {"conv 1x1", "conv 3x3"}) {
        choices.remember("onednn", key, "direct");
        choices.save();
    }
    const std::string logged = testing::internal::GetCapturedStderr();
    EXPECT_EQ(logged.find("W cannot use the kernel tuning cache: " + file_.parent_path().string()), 0U) << logged;
    EXPECT_NE(logged.find(": Not a directory; each run tunes its kernels again"), std::string::npos) << logged;
    EXPECT_EQ(std::count(logged.begin(), logged.end(), '\n'), 1) << logged;
}

TEST_F(TuningCacheTest, comes_after_the_checkpoint) {
    remember("conv", "direct");
    remember("unused", "direct");
    TuningCache earlier;
    earlier.remember("onednn", "conv", "winograd");
    TuningCache resumed(file_, true);
    resumed.restore(earlier.used());
    EXPECT_EQ(resumed.recall("onednn", "conv"), "winograd");
    EXPECT_EQ(resumed.used(), earlier.used());
    resumed.save();
    EXPECT_EQ(recall("conv"), "direct") << "a resumed run changes nothing for others";
}

}  // namespace
}  // namespace sluice::registry
