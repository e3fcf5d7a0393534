#include "serve/summary_cache.hpp"

#include "unit/folder_test.hpp"

namespace sluice::serve {
namespace {

constexpr const char* kBegin = R"({"kind":"run_begin","epoch":0,"step":0,"seconds":0,"text":"","scalars":{"steps":9}})"
                               "\n";

class Summaries : public FolderTest {};

TEST_F(Summaries, are_read_again_if_the_events_have_changed) {
    write("runs/a/events.jsonl", kBegin);
    SummaryCache cache("runs");
    ASSERT_EQ(cache.list().size(), 1U);
    EXPECT_EQ(cache.list()[0].last_step, 9);
    EXPECT_EQ(cache.list()[0].name, "a");
    EXPECT_EQ(cache.list()[0].step, 0);
    std::ofstream("runs/a/events.jsonl", std::ios::app)
        << R"({"kind":"step","epoch":1,"step":5,"seconds":1,"text":"","scalars":{}})"
           "\n";
    EXPECT_EQ(cache.list()[0].step, 5);
}

TEST_F(Summaries, are_not_read_again_else) {
    write("runs/a/events.jsonl", kBegin);
    const auto written = std::filesystem::last_write_time("runs/a/events.jsonl");
    SummaryCache cache("runs");
    ASSERT_EQ(cache.list().size(), 1U);
    std::string other = kBegin;
    other.replace(other.find(":9"), 2, ":8");
    write("runs/a/events.jsonl", other);
    std::filesystem::last_write_time("runs/a/events.jsonl", written);
    EXPECT_EQ(cache.list()[0].last_step, 9);
}

TEST_F(Summaries, follow_the_folder) {
    write("runs/a/events.jsonl", kBegin);
    SummaryCache cache("runs");
    ASSERT_EQ(cache.list().size(), 1U);
    write("runs/b/events.jsonl", kBegin);
    EXPECT_EQ(cache.list().size(), 2U);
    std::filesystem::remove_all("runs/a");
    ASSERT_EQ(cache.list().size(), 1U);
    EXPECT_EQ(cache.list()[0].name, "b");
}

}  // namespace
}  // namespace sluice::serve
