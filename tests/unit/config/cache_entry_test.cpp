// Entries `cache` of a map.
#include "config/cache_entry.hpp"

#include "base/toml/toml.hpp"
#include "unit/config/config_test_folder.hpp"

namespace sluice::config {
namespace {

ComponentSpec entry_of(const std::string& options) {
    const Table table = parse_toml("entry = {" + options + "}", "a.toml");
    return {.use = kCache, .origin = {}, .options = *table.find("entry")->as_table()};
}

TEST(CacheEntry, is_in_memory_unless_it_asks_for_the_disk) {
    EXPECT_FALSE(is_on_disk(entry_of("")));
    EXPECT_FALSE(is_on_disk(entry_of(R"(in = "memory")")));
    EXPECT_TRUE(is_on_disk(entry_of(R"(in = "disk")")));
}

TEST(CacheEntry, has_a_budget_if_that_is_a_size) {
    EXPECT_EQ(budget_of(entry_of(R"(budget = "2 KiB")")), 2048U);
    for (const char* const options : {"", R"(budget = "much")", "budget = 7"}) {
        EXPECT_EQ(budget_of(entry_of(options)), std::nullopt) << options;
    }
}

TEST(CacheEntry, replaces_the_other_caches_of_a_map) {
    StreamSpec stream;
    stream.sources.emplace_back();
    for (const char* const use : {"decode", "cache", "crop"}) {
        stream.map.push_back({.use = use, .origin = {}, .options = {}});
    }
    const auto names = [&](std::size_t entries) {
        std::string text;
        for (const ComponentSpec& entry : with_cache_at(stream, entries).map) {
            text += entry.use + " ";
        }
        return text;
    };
    EXPECT_EQ(names(0), "cache decode crop ");
    EXPECT_EQ(names(1), "decode cache crop ");
    EXPECT_EQ(names(2), "decode cache crop ");
    EXPECT_EQ(names(3), "decode crop cache ");
}

}  // namespace
}  // namespace sluice::config
