// The space of a cache on disk: a budget in which its own samples come first, and a disk that is full.
#include "data/cache/cache_space.hpp"

#include <cerrno>

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

TEST_F(CacheSpaceTest, is_not_looked_for_where_a_write_fails_otherwise) {
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

}  // namespace
}  // namespace sluice::data
