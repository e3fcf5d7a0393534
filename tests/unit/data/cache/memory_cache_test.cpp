// The cache stage: sizes as text, its options, its budget.
#include "data/cache/memory_cache.hpp"
#include "base/text/byte_size.hpp"

#include "unit/captured_log.hpp"
#include "unit/data/data_test_chain.hpp"
#include "unit/folder_test.hpp"

namespace sluice::data {
namespace {

class CacheLog : public FolderTest {};

std::uint64_t budget_of(const std::string& options) {
    const Table table = parse_toml("cache = { use = \"cache\"" + options + " }", "test.toml");
    return MemoryCache(read_cache_options(component_spec(*table.find("cache")->as_table())).budget, "").budget();
}

TEST(cache, reads_sizes) {
    EXPECT_EQ(parse_size("2 GiB"), std::uint64_t{2} << 30);
    EXPECT_EQ(parse_size("1.5MB"), 1500000U);
    EXPECT_EQ(parse_size("800 B"), 800U);
    EXPECT_EQ(parse_size("3 TiB"), std::uint64_t{3} << 40);
    for (const char* wrong : {"", "GiB", "2", "2 gib", "-1 GiB", "0 B", "2 GiB ", "nan B", "1e3 B", "99999999999 TB"}) {
        EXPECT_EQ(parse_size(wrong), std::nullopt) << wrong;
    }
}

TEST(cache, writes_sizes) {
    EXPECT_EQ(format_size(800), "800 B");
    EXPECT_EQ(format_size(1536), "1.5 KiB");
    EXPECT_EQ(format_size(std::uint64_t{2} << 30), "2.0 GiB");
}

TEST(cache, takes_its_budget_from_the_options) {
    EXPECT_EQ(budget_of(", in = \"memory\", budget = \"3 MiB\""), std::uint64_t{3} << 20);
    EXPECT_GT(budget_of(""), std::uint64_t{1} << 20);
}

TEST(cache, names_what_is_wrong_with_its_options) {
    expect_contains(error_of([] { budget_of(", budgt = \"1 GiB\""); }), {"2 test.toml:1", "budgt", "budget"});
    expect_contains(error_of([] { budget_of(", in = \"tape\""); }), {"2 test.toml:1", "tape", "memory"});
    expect_contains(error_of([] { budget_of(", budget = \"2 gigs\""); }), {"2 test.toml:1", "2 gigs", "\"2 GiB\""});
}

TEST(cache, without_a_budget_of_its_own_takes_its_share_of_the_memory_for_data) {
    const auto kept = [](const std::string& options, std::uint64_t bytes) {
        config::StreamSpec spec =
            stream_spec("source = { use = \"test_numbers\", length = 6 }\nmap = [{ use = \"cache\"" + options + " }]");
        spec.cache_bytes = bytes;
        const Chain chain(spec, test_registry(), 1, "data.train");
        Chain::Worker worker(chain);
        for (std::uint64_t i = 0; i < 12; ++i) {
            worker.make(0, i % 6);
        }
        return 12 - worker.times().sum(0).samples;  // samples that were found in the cache
    };
    EXPECT_EQ(kept("", 1 << 20), 6U);
    EXPECT_EQ(kept("", 1), 0U);
    EXPECT_EQ(kept(", budget = \"1 MiB\"", 1), 6U);
}

TEST_F(CacheLog, names_what_draws_before_it_if_several_epochs_are_made) {
    const CapturedLog log;
    const auto log_of = [&](const std::string& before, bool one_pass) {
        const Chain chain = make_chain(with_map(before + R"({ use = "test_told_noise", every = 3 })"));
        const Loader loader(chain, {.one_pass = one_pass, .fields = {"image"}});
        return log.take();
    };
    const std::string draws = R"({ use = "test_told_noise", every = 2 }, )";
    const std::string cache = R"({ use = "cache" }, )";
    expect_contains(log_of(draws + cache, false),
                    {"data.train: 'test_told_noise' draws at random and stands before 'cache'", "put it after"});
    expect_contains(log_of(draws + draws + cache, false),
                    {"'test_told_noise', 'test_told_noise' draw at random", "them"});
    EXPECT_EQ(log_of(draws + cache, true), "");
    EXPECT_EQ(log_of(R"({ use = "test_told_noise" }, )" + cache, false), "");
    EXPECT_EQ(log_of(cache, false), "");
    EXPECT_EQ(log_of(draws, false), "");
}

TEST(cache, keeps_the_first_and_stops_at_its_budget) {
    HostTensor tensor{make_spec(kUint8, {1000}), std::vector<std::uint8_t>(1000, 1)};
    const TensorView fields[] = {tensor};
    MemoryCache cache(3000, "data.train");
    CachedSample found;
    cache.keep(5, "first", fields);
    tensor.bytes.assign(1000, 2);
    cache.keep(5, "second", fields);
    ASSERT_TRUE(cache.find(5, found));
    EXPECT_EQ(found.name, "first");
    EXPECT_EQ(found.fields[0].bytes[999], 1);
    cache.keep(6, "other", fields);
    EXPECT_TRUE(cache.find(6, found));  // the second keep() of sample 5 gave back its bytes
    cache.keep(7, "too much", fields);
    EXPECT_FALSE(cache.find(7, found));
}

}  // namespace
}  // namespace sluice::data
