// The cache on disk: later runs find what it keeps, and damaged samples are made again.
#include "data/cache/disk_cache.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "unit/data/cache/disk_cache_test.hpp"

namespace sluice::data {
namespace {

TEST_F(DiskCacheTest, is_found_by_later_runs_and_gives_the_same_bytes) {
    const std::string without = epoch(chain_text("", R"(map = [{ use = "test_noise" }, { use = "test_sum" }])")).second;
    const auto [first_reads, first] = epoch(chain_text());
    EXPECT_EQ(first_reads, 10U);
    EXPECT_EQ(first, without);
    for (int run = 0; run < 2; ++run) {
        const auto [reads, bytes] = epoch(chain_text());
        EXPECT_EQ(reads, 0U);
        EXPECT_EQ(bytes, without);
    }
    file();  // there is one file, since later runs added nothing
}

TEST_F(DiskCacheTest, belongs_to_one_seed_one_chain_and_one_state_of_the_data) {
    epoch(chain_text());
    EXPECT_EQ(epoch(chain_text(), 8).first, 10U);
    EXPECT_EQ(epoch(chain_text(", wait_us = 1")).first, 10U);
    EXPECT_EQ(
        epoch(chain_text("", R"(map = [{ use = "cache", in = "disk", folder = "kept" }, { use = "test_sum" }])")).first,
        10U);
    setenv("SLUICE_TEST_REVISION", "1", 1);
    EXPECT_EQ(epoch(chain_text()).first, 10U);
    unsetenv("SLUICE_TEST_REVISION");
    EXPECT_EQ(epoch(chain_text()).first, 0U);
}

// If everything before the cache reports that it does not draw, all seeds and purposes share one cache.
TEST_F(DiskCacheTest, belongs_to_all_seeds_if_nothing_before_it_draws) {
    const auto text = [](const std::string& source, const std::string& before) {
        return "source = { use = \"" + source + "\", length = 10 }\nmap = [" + before +
               R"({ use = "cache", in = "disk", folder = "kept" }, { use = "test_noise" }, { use = "test_sum" }])";
    };
    const auto reads_of_other_seed = [&](const std::string& source, const std::string& before) {
        fs::remove_all("kept");
        epoch(text(source, before), 7);
        return epoch(text(source, before), 8).first;
    };
    EXPECT_EQ(reads_of_other_seed("test_told_numbers", ""), 0U);
    EXPECT_EQ(Chain(stream_spec(text("test_told_numbers", "")), test_registry(), 9, "data.validation").length(), 10U);
    file();
    EXPECT_EQ(std::distance(fs::directory_iterator("kept"), {}), 1);
    EXPECT_EQ(reads_of_other_seed("test_told_numbers", R"({ use = "test_told_noise" }, )"), 0U);
    EXPECT_EQ(reads_of_other_seed("test_told_numbers", R"({ use = "test_told_noise", every = 2 }, )"), 10U);
    // This transform and the next source do not report whether they draw.
    EXPECT_EQ(reads_of_other_seed("test_told_numbers", R"({ use = "test_noise" }, )"), 10U);
    EXPECT_EQ(reads_of_other_seed("test_numbers", ""), 10U);
}

TEST_F(DiskCacheTest, makes_again_what_is_torn_off_or_damaged) {
    const std::string expected = epoch(chain_text()).second;
    const fs::path kept = file();
    const std::uint64_t size = fs::file_size(kept);
    ASSERT_EQ(size % 10, 0U);
    fs::resize_file(kept, size - 1);
    EXPECT_EQ(epoch(chain_text()), std::pair(std::uint64_t{1}, expected));
    EXPECT_EQ(epoch(chain_text()), std::pair(std::uint64_t{0}, expected));
    flip_byte(kept, size / 10 * 3 + 8);  // in a header, so that no later record can be found
    EXPECT_EQ(epoch(chain_text()), std::pair(std::uint64_t{6}, expected));
    EXPECT_EQ(epoch(chain_text()), std::pair(std::uint64_t{0}, expected));
    flip_byte(kept, size / 10 * 2 - 1 - 64);  // in the middle of the second sample, which stays damaged
    EXPECT_EQ(epoch(chain_text()), std::pair(std::uint64_t{1}, expected));
    for (int run = 0; run < 2; ++run) {
        EXPECT_EQ(epoch(chain_text()), std::pair(std::uint64_t{0}, expected));
    }
    fs::resize_file(kept, 0);
    EXPECT_EQ(epoch(chain_text()).second, expected);
}

TEST_F(DiskCacheTest, names_the_first_damaged_sample_and_counts_the_others) {
    const std::string expected = epoch(chain_text()).second;
    const fs::path kept = file();
    const std::uint64_t size = fs::file_size(kept);
    for (const std::uint64_t sample : {2, 3, 5, 9}) {
        flip_byte(kept, size / 10 * sample - 1 - 64);
    }
    testing::internal::CaptureStderr();
    EXPECT_EQ(epoch(chain_text()), std::pair(std::uint64_t{4}, expected));
    const std::string log_text = testing::internal::GetCapturedStderr();
    expect_contains(log_text,
                    {kept.filename().string() + ": the sample at byte ", " is damaged", ": 4 samples were damaged"});
    EXPECT_EQ(log_text.find("the sample at byte"), log_text.rfind("the sample at byte")) << log_text;
}

// The record's checksums are right, but its fields are not those that the chain makes.
TEST_F(DiskCacheTest, makes_again_what_has_other_fields) {
    const std::string expected = epoch(chain_text()).second;
    const fs::path kept = file();
    const std::vector<std::uint8_t> bytes(60);
    const auto of = [&](const sluice_tensor_spec& spec) { return TensorView(spec, std::span(bytes).first(8)); };
    const TensorView image(make_spec(kUint8, {4, 5, 3}), bytes);
    const TensorView label = of(make_spec(kInt64, {}));
    const TensorView file = of(make_spec(kUint8, {8}));
    sluice_tensor_spec beyond = make_spec(kInt64, {});
    beyond.rank = SLUICE_MAX_RANK + 1;
    for (const std::vector<TensorView>& fields : {std::vector<TensorView>{},
                                                  {image, label},
                                                  {image, label, file, file},
                                                  {image, of(beyond), file},
                                                  {image, of(make_spec(kInt64, {1})), file},
                                                  {of(make_spec(kUint8, {2, 4, 1})), label, file}}) {
        fs::remove_all(kept.parent_path());
        write(kept, record_of(0, "another", fields));
        EXPECT_EQ(epoch(chain_text()), std::pair(std::uint64_t{10}, expected)) << fields.size() << " fields";
    }
}

TEST_F(DiskCacheTest, stays_within_its_budget) {
    const std::string map =
        R"(map = [{ use = "cache", in = "disk", folder = "kept", budget = "1 KiB" }, { use = "test_sum" }])";
    epoch(chain_text("", map));
    const std::uint64_t size = fs::file_size(file());
    EXPECT_GT(size, 0U);
    EXPECT_LE(size, 1024U);
    EXPECT_GT(epoch(chain_text("", map)).first, 0U);
    EXPECT_EQ(fs::file_size(file()), size);
}

// Some threads keep the same samples at the same time.
TEST_F(DiskCacheTest, takes_samples_from_many_threads_at_once) {
    constexpr std::uint64_t kSamples = 400;
    const CacheKey kind{"any", {make_spec(kUint8, {-1})}};
    const auto bytes_of_sample = [](std::uint64_t index) {
        return std::vector<std::uint8_t>(500 + index, static_cast<std::uint8_t>(index));
    };
    {
        DiskCache cache("kept", {}, kind, "test");
        std::vector<std::jthread> threads;
        for (const std::uint64_t first : {0, 0, 100, 200}) {
            threads.emplace_back([&cache, &bytes_of_sample, first] {
                for (std::uint64_t i = first; i < kSamples; ++i) {
                    const std::vector<std::uint8_t> bytes = bytes_of_sample(i);
                    const TensorView field(make_spec(kUint8, {std::ssize(bytes)}), bytes);
                    cache.keep(i, std::to_string(i), {&field, 1});
                }
            });
        }
    }
    DiskCache cache("kept", {}, kind, "test");
    CachedSample sample;
    for (std::uint64_t i = 0; i < kSamples; ++i) {
        sample.bytes.reserve(cache.bytes_to_read(i));
        ASSERT_TRUE(cache.find(i, sample)) << i;
        EXPECT_EQ(sample.name, std::to_string(i));
        EXPECT_TRUE(std::ranges::equal(sample.fields[0].bytes, bytes_of_sample(i))) << i;
    }
}

// Seeds 1, 2 and 3 use a folder that has room for two and a half of them.
TEST_F(DiskCacheTest, makes_room_by_what_was_used_longest_ago) {
    epoch(chain_text(), 2);
    const fs::path second = file().parent_path();
    const std::uint64_t bytes = fs::file_size(file());
    epoch(chain_text(), 1);
    const auto hour_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
    for (const auto& entry : fs::directory_iterator("kept")) {
        fs::last_write_time(entry.path() / "in_use", hour_ago);
    }
    const std::string tight = with_budget(bytes * 5 / 2);
    EXPECT_EQ(epoch(tight, 2).first, 0U);  // so that the older seed, 2, was used later
    write("kept/notes.txt", "of the user");
    write("kept/0123456789abcdef0123456789abcdef/1.samples", "of the user, too");
    epoch(tight, 3);
    EXPECT_TRUE(fs::exists(second));
    EXPECT_EQ(epoch(tight, 2).first, 0U);
    EXPECT_EQ(epoch(tight, 3).first, 0U);
    EXPECT_EQ(std::distance(fs::directory_iterator("kept"), {}), 4);  // seeds 2 and 3, and two entries of the user
    EXPECT_TRUE(fs::exists("kept/0123456789abcdef0123456789abcdef/1.samples"));
}

TEST_F(DiskCacheTest, has_what_another_run_keeps_meanwhile) {
    const Chain one = make_chain(chain_text());
    const Chain other = make_chain(chain_text());
    Chain::Worker first(one);
    Chain::Worker second(other);
    for (std::uint64_t i = 0; i < 5; ++i) {
        first.make(0, i);
    }
    second.make(0, 5);
    for (std::uint64_t i = 0; i < 6; ++i) {
        EXPECT_EQ(bytes_of(second.make(0, i).fields[0]), bytes_of(first.make(0, i).fields[0]));
    }
    EXPECT_EQ(second.times().sum(0).samples, 1U);
    first.make(0, 6);
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // the cache looks for new samples once a second
    second.make(0, 7);
    second.make(0, 6);
    EXPECT_EQ(second.times().sum(0).samples, 2U);
}

TEST_F(DiskCacheTest, leaves_what_is_in_use) {
    epoch(chain_text(), 1);
    const std::string tight = with_budget(fs::file_size(file()) * 3 / 2);
    {
        const Chain user = make_chain(chain_text(), 1);
        EXPECT_EQ(epoch(tight, 2).first, 10U);
        const std::uint64_t again = epoch(tight, 2).first;  // about half of the samples had room
        EXPECT_GT(again, 0U);
        EXPECT_LT(again, 10U);
        EXPECT_EQ(epoch(chain_text(), 1).first, 0U);
    }
    epoch(tight, 2);
    EXPECT_EQ(epoch(tight, 2).first, 0U);
    EXPECT_EQ(epoch(chain_text(), 1).first, 10U);
}

TEST_F(DiskCacheTest, names_a_folder_that_cannot_be_used) {
    write("kept", "a file");
    expect_contains(error_of([] { make_chain(chain_text()); }), {"2 ", "kept", "cannot write to folder"});
    expect_contains(error_of([] { make_chain(chain_text("", R"(map = [{ use = "cache", folder = "kept" }])")); }),
                    {"2 test.toml:2", "folder needs in = \"disk\""});
}

}  // namespace
}  // namespace sluice::data
