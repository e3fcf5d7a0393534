// The room for kept samples, and what a disk allows.
#include "diagnose/experiments/kept_samples.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.hpp"

namespace sluice::diagnose {
namespace {

// A training on 1,000 pictures of 1 MB, a thousand a second, that has no cache.
Evidence pictures() {
    const std::filesystem::path file = std::filesystem::path(SLUICE_STORED_EVIDENCE) / "source.json";
    Evidence evidence = evidence_of(read_file(file), file.string());
    Facts& facts = evidence.facts;
    facts.samples = 10.0;
    facts.seconds = 0.01;
    facts.epoch_samples = 1000.0;
    for (InputStage& stage : facts.input) {
        stage.bytes = 1e6;
    }
    facts.available = 100'000'000;
    facts.cache_room = 2e9;
    facts.disk_room = 2e9;
    return evidence;
}

TEST(DiagnoseKeptSamples, need_their_bytes) {
    Evidence evidence = pictures();
    EXPECT_EQ(cached_entries(evidence), 0U);
    EXPECT_DOUBLE_EQ(kept_bytes(evidence, 0), 1e9);
    EXPECT_TRUE(fit_in_memory(evidence, 0));
    evidence.facts.cache_room = 0.9e9;
    EXPECT_FALSE(fit_in_memory(evidence, 0));
}

TEST(DiagnoseKeptSamples, do_not_go_to_a_disk_that_is_full_or_slow) {
    Evidence evidence = pictures();
    evidence.facts.disk_rate = 2e9;
    EXPECT_EQ(why_not_on_disk(evidence, 0), "");
    evidence.facts.disk_rate = 5e8;
    EXPECT_EQ(why_not_on_disk(evidence, 0), "the disk reads 500 MB/s, and needs 2.0 ms for a sample");
    evidence.facts.available = 2'000'000'000;  // they stay in the page cache
    EXPECT_EQ(why_not_on_disk(evidence, 0), "");
    evidence.facts.disk_room = 1e8;
    EXPECT_NE(why_not_on_disk(evidence, 0).find("the disk has room for 95.4 MiB"), std::string::npos);
}

TEST(DiagnoseKeptSamples, gain_no_more_than_the_disk_allows) {
    Evidence evidence = pictures();
    evidence.facts.disk_rate = 2e9;
    const Ratio measured{.value = 0.2, .low = 0.19, .high = 0.21, .rounds = 20};
    const Ratio limited = limited_by_disk(evidence, measured, 0);
    EXPECT_DOUBLE_EQ(limited.value, 0.5);
    EXPECT_DOUBLE_EQ(limited.high, 0.5);
    evidence.facts.disk_rate = 1e11;
    EXPECT_DOUBLE_EQ(limited_by_disk(evidence, measured, 0).value, 0.2);
}

}  // namespace
}  // namespace sluice::diagnose
