// A cache on disk is trimmed when it is opened and no other process uses it.
#include "data/cache/cache_trim.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <thread>

#include "base/files.hpp"
#include "data/cache/disk_cache.hpp"
#include "data/cache/kept_file.hpp"
#include "unit/captured_log.hpp"
#include "unit/data/cache/disk_cache_test.hpp"

namespace sluice::data {
namespace {

class CacheTrim : public DiskCacheTest {
protected:
    // Writes a file in "few" with samples that all have the same size.
    static void write_samples(std::uint64_t number, const std::vector<std::uint64_t>& samples) {
        std::string text;
        for (const std::uint64_t sample : samples) {
            const std::vector<std::uint8_t> bytes(1);
            const TensorView field(make_spec(kUint8, {1}), bytes);
            text += record_of(sample, "a", {&field, 1});
        }
        write(fs::path("few") / kept_name(number), text);
    }
    static std::uint64_t record_bytes() {
        write_samples(1, {0});
        return fs::file_size("few/000001.samples");
    }
    // Returns the samples of each file in "few".
    static std::vector<std::vector<std::uint64_t>> samples() {
        std::vector<std::vector<std::uint64_t>> all;
        for (const fs::path& path : kept_files("few")) {
            const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
            all.emplace_back();
            for (const RecordPlace& place : list_records(descriptor, fs::file_size(path)).records) {
                all.back().push_back(place.index);
            }
            ::close(descriptor);
        }
        return all;
    }
    using Samples = std::vector<std::vector<std::uint64_t>>;
};

TEST_F(CacheTrim, cuts_off_once_what_is_no_whole_sample) {
    epoch(chain_text());
    const fs::path kept = file();
    const std::uint64_t size = fs::file_size(kept);
    fs::resize_file(kept, size - 1);
    const CapturedLog log;
    {
        const Chain user = make_chain(chain_text());
        expect_contains(log.take(), {"removed ", " B of incomplete samples\n"});
        EXPECT_EQ(fs::file_size(kept), size / 10 * 9);
    }
    epoch(chain_text());
    const std::string again = log.take();
    EXPECT_EQ(again.find("incomplete sample"), std::string::npos) << again;
}

TEST_F(CacheTrim, removes_what_two_wrote_at_once) {
    {
        const Chain first = make_chain(chain_text());
        const Chain second = make_chain(chain_text());
        for (const Chain* chain : {&first, &second}) {
            Loader loader(*chain, {.batch = 10, .workers = 1, .one_pass = true, .fields = {"image"}});
            loader.next();
        }
    }
    const fs::path folder = fs::directory_iterator("kept")->path();
    EXPECT_EQ(kept_files(folder).size(), 2U);
    EXPECT_EQ(epoch(chain_text()).first, 0U);
    EXPECT_EQ(kept_files(folder).size(), 1U);
}

TEST_F(CacheTrim, removes_files_of_which_nothing_is_missed) {
    write_samples(1, {0, 2, 4});
    write_samples(2, {0, 1, 2});
    write_samples(3, {1, 3, 5});
    write_samples(4, {3, 4, 5});
    expect_contains(trim_cache("few", {}), {"damaged or duplicate samples"});
    EXPECT_EQ(samples(), (Samples{{0, 1, 2}, {3, 4, 5}}));
    EXPECT_EQ(trim_cache("few", {}), "");
    write_samples(6, {9, 9});
    write(fs::path("few") / kept_name(7), "");
    EXPECT_EQ(trim_cache("few", {}), "");
    EXPECT_EQ(samples(), (Samples{{0, 1, 2}, {3, 4, 5}, {9, 9}}));
}

TEST_F(CacheTrim, keeps_the_newest_within_the_budget) {
    const std::uint64_t one = record_bytes();
    write_samples(1, {0, 1, 2});
    write_samples(2, {3, 4});
    write_samples(3, {5, 6});
    EXPECT_EQ(trim_cache("few", one * 7), "");
    expect_contains(trim_cache("few", one * 6 - 1), {"beyond the budget"});
    EXPECT_EQ(samples(), (Samples{{0}, {3, 4}, {5, 6}}));
    EXPECT_NE(trim_cache("few", one * 2), "");
    EXPECT_EQ(samples(), (Samples{{5, 6}}));
    EXPECT_NE(trim_cache("few", one - 1), "");
    EXPECT_EQ(samples(), Samples());
}

TEST_F(CacheTrim, cuts_the_whole_folder_back_to_the_budget) {
    const std::string expected = epoch(chain_text(), 1).second;
    const std::uint64_t bytes = fs::file_size(file());
    epoch(chain_text(), 2);
    EXPECT_EQ(epoch(with_budget(bytes * 3 / 2), 1).first, 0U);
    EXPECT_EQ(file().parent_path(), fs::directory_iterator("kept")->path());  // the samples of seed 2 are removed
    EXPECT_EQ(epoch(with_budget(bytes / 2), 1), std::pair(std::uint64_t{5}, expected));
    EXPECT_EQ(fs::file_size(file()), bytes / 2);
}

TEST_F(CacheTrim, leaves_what_another_uses) {
    epoch(chain_text());
    const fs::path kept = file();
    const fs::path twice = kept.parent_path() / kept_name(2);
    const std::uint64_t size = fs::file_size(kept);
    {
        const CacheSubfolder user("kept", read_file(kept.parent_path() / "inputs.txt"), "user", {});
        fs::copy_file(kept, twice);
        fs::resize_file(twice, size - 1);
        EXPECT_EQ(epoch(with_budget(size / 2)).first, 0U);
        EXPECT_EQ(fs::file_size(kept), size);
        EXPECT_EQ(fs::file_size(twice), size - 1);
    }
    epoch(with_budget(size / 2));
    EXPECT_LE(fs::file_size(file()), size / 2);
}

// The names of files show which are the oldest.
TEST_F(CacheTrim, finds_new_files_after_the_old_ones) {
    epoch(chain_text());
    const fs::path kept = file();
    const fs::path later = kept.parent_path() / kept_name(5);
    fs::rename(kept, later);
    fs::resize_file(later, fs::file_size(later) / 10 * 9);
    EXPECT_EQ(epoch(chain_text()).first, 1U);
    EXPECT_EQ(kept_files(kept.parent_path()), (std::vector{later, kept.parent_path() / kept_name(6)}));
}

// Each user finds its subfolder or makes it again. What it found stays there while it uses the subfolder.
TEST_F(CacheTrim, copes_with_others_that_remove_at_the_same_time) {
    const auto open_often = [](std::uint64_t seed) {
        for (int turn = 0; turn < 400; ++turn) {
            const CacheKey kind{"inputs " + std::to_string(seed % 3), {make_spec(kUint8, {1000})}};
            DiskCache cache("kept", 1500, kind, "test");
            const std::vector<std::uint8_t> bytes(1000, static_cast<std::uint8_t>(seed % 3));
            const TensorView field(make_spec(kUint8, {1000}), bytes);
            CachedSample sample;
            if (cache.find(0, sample)) {
                EXPECT_EQ(sample.fields[0].bytes[999], seed % 3);
                EXPECT_TRUE(cache.find(0, sample));
            }
            cache.keep(0, "a", {&field, 1});
        }
    };
    log::set_level(log::Level::error);  // 2400 openings would fill the log
    {
        std::vector<std::jthread> threads;
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            threads.emplace_back([&open_often, seed] { EXPECT_NO_THROW(open_often(seed)); });
        }
    }
    log::set_level(log::Level::info);
}

}  // namespace
}  // namespace sluice::data
