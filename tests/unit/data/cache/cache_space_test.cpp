// The space of a cache on disk: a budget in which its own samples come first, and a disk that is full.
#include "data/cache/cache_space.hpp"

#include <sys/mount.h>

#include <cerrno>
#include <cstring>

#include "unit/data/cache/disk_cache_test.hpp"

namespace sluice::data {
namespace {

class CacheSpaceTest : public FolderTest {
protected:
    // Keeps `bytes` bytes for other inputs, as another run does, and returns their folder.
    static fs::path keep_for_others(std::size_t bytes) {
        const CacheSpace others("kept", "other inputs", "data.train", std::nullopt);
        std::ofstream(others.path() / "1.samples") << std::string(bytes, 'x');
        return others.path();
    }
};

TEST_F(CacheSpaceTest, is_taken_from_others_when_the_budget_is_used_up) {
    const fs::path others = keep_for_others(60);
    CacheSpace space("kept", "inputs", "data.train", 100);
    space.open();
    EXPECT_EQ(space.others(), 60U);
    EXPECT_TRUE(space.reserve(30));
    EXPECT_TRUE(fs::exists(others));
    EXPECT_TRUE(space.reserve(30));
    EXPECT_FALSE(fs::exists(others));
    EXPECT_EQ(space.others(), 0U);
    EXPECT_FALSE(space.reserve(50)) << "60 of 100 bytes are used";
    space.release(30);
    EXPECT_TRUE(space.reserve(50));
    EXPECT_EQ(space.used(), 80U);
}

TEST_F(CacheSpaceTest, is_cut_to_the_budget_when_it_is_opened) {
    const fs::path others = keep_for_others(60);
    CacheSpace space("kept", "inputs", "data.train", 100);
    space.add_found(50);
    space.open();
    EXPECT_FALSE(fs::exists(others));
    EXPECT_TRUE(space.reserve(50));
    EXPECT_FALSE(space.reserve(1));
}

TEST_F(CacheSpaceTest, of_a_full_disk_is_taken_from_others) {
    const fs::path others = keep_for_others(60);
    CacheSpace space("kept", "inputs", "data.train", std::nullopt);
    space.open();
    const auto write = [&] {
        errno = ENOSPC;
        return !fs::exists(others);
    };
    EXPECT_TRUE(space.write_or_free_disk(10, write));
    EXPECT_EQ(space.others(), 0U);
}

TEST_F(CacheSpaceTest, is_not_looked_for_if_a_write_fails_otherwise) {
    const fs::path others = keep_for_others(60);
    CacheSpace space("kept", "inputs", "data.train", std::nullopt);
    space.open();
    for (const int why : {EIO, ENOSPC}) {
        const auto write = [&] {
            errno = why;
            return false;
        };
        EXPECT_FALSE(space.write_or_free_disk(10, write));
        EXPECT_EQ(errno, why);
        EXPECT_EQ(fs::exists(others), why == EIO);
    }
}

// A full disk is a small file system in memory. The tests need the right to mount one.
class CacheDiskSpace : public DiskCacheTest {
protected:
    void SetUp() override {
        DiskCacheTest::SetUp();
        fs::create_directories("kept");
        if (::mount("none", "kept", "tmpfs", 0, "size=1m") != 0) {
            GTEST_SKIP() << "no file system can be mounted here: " << std::strerror(errno);
        }
        mounted_ = true;
    }
    void TearDown() override {
        if (mounted_) {
            ::umount2("kept", MNT_DETACH);
        }
        DiskCacheTest::TearDown();
    }
    // Fills the disk except for `left` blocks of 4096 bytes.
    static void fill(std::size_t left = 0) {
        std::ofstream file("kept/filler", std::ios::binary);
        const std::string block(4096, 'x');
        while (file.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
        }
        file.close();
        fs::resize_file("kept/filler", fs::file_size("kept/filler") / 4096 * 4096 - left * 4096);
    }

    const std::string large_ = with_budget(std::uint64_t{1} << 30);

private:
    bool mounted_ = false;
};

// The cache first writes its description, which already needs space.
TEST_F(CacheDiskSpace, of_what_nobody_uses_is_taken_when_it_is_opened) {
    epoch(large_, 1);
    fill();
    const std::string expected = epoch(large_, 2).second;
    EXPECT_EQ(epoch(large_, 2), std::pair(std::uint64_t{0}, expected));
    file();  // the samples of seed 1 are removed
}

TEST_F(CacheDiskSpace, of_what_nobody_uses_is_taken_for_samples) {
    for (const std::size_t left : {0, 1}) {
        const std::string expected = epoch(large_, 2).second;
        fs::remove_all(file().parent_path());
        epoch(large_, 1);
        {
            const Chain chain = make_chain(large_, 2);
            fill(left);
            EXPECT_EQ(epoch_of(chain), std::pair(std::uint64_t{10}, expected));
        }
        EXPECT_EQ(epoch(large_, 2), std::pair(std::uint64_t{0}, expected)) << left << " blocks left";
        fs::remove_all(file().parent_path());
        fs::remove("kept/filler");
    }
}

TEST_F(CacheDiskSpace, of_what_is_in_use_is_not_taken) {
    const std::string expected = epoch(large_, 2).second;
    fs::remove_all(file().parent_path());
    epoch(large_, 1);
    const Chain user = make_chain(large_, 1);
    {
        const Chain chain = make_chain(large_, 2);
        fill(1);
        EXPECT_EQ(epoch_of(chain), std::pair(std::uint64_t{10}, expected));
        EXPECT_EQ(epoch_of(chain), std::pair(std::uint64_t{2}, expected));  // eight samples fill the free block
    }
    EXPECT_EQ(epoch(large_, 2), std::pair(std::uint64_t{2}, expected));
    EXPECT_EQ(epoch_of(user).first, 0U);
}

}  // namespace
}  // namespace sluice::data
