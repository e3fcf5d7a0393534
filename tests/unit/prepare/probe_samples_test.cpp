// The samples that are made before all others.
#include "prepare/probe_samples.hpp"

#include "unit/data/data_test_chain.hpp"

namespace sluice::prepare {
namespace {

SampleProbe probe(const std::string& source) {
    const data::Chain chain = data::make_chain(data::with_map("", source));
    return probe_samples(chain, *make_format("records", false, chain.fields(), {}));
}

TEST(PrepareProbeSamples, skips_bad_samples) {
    EXPECT_GT(probe("length = 40").mean_bytes, 60.0) << "an image has 60 bytes";
    EXPECT_DOUBLE_EQ(probe("length = 40, bad_at = [0, 20]").mean_bytes, probe("length = 40").mean_bytes);
}

// The last of 40 samples is not among the 16 that are made.
TEST(PrepareProbeSamples, detects_changes_of_its_samples) {
    EXPECT_EQ(probe("length = 40, bad_at = [39]").sha256, probe("length = 40").sha256);
    EXPECT_NE(probe("length = 40, bad_at = [0]").sha256, probe("length = 40").sha256);
}

TEST(PrepareProbeSamples, fails_if_all_samples_are_bad) {
    data::expect_contains(data::error_of([] { probe("length = 2, bad_at = [0, 1]"); }), {"3 ", "the number is bad"});
}

}  // namespace
}  // namespace sluice::prepare
