// The sample that takes the place of a bad one, and bad samples for which there is none.
#include "data/chain/replacement_search.hpp"

#include "unit/data/data_test_chain.hpp"

namespace sluice::data {
namespace {

BadSample bad_one(const Drawn& drawn) {
    const std::string place = std::to_string(drawn.index);
    return {.index = drawn.index, .what = "sample " + place, .place = place, .reason = "not a picture"};
}

// Takes the samples in order, without shuffling.
Sampling sampling_of(std::uint64_t length) {
    return {{.length = length, .blocks = {}, .parts = {}, .weight_sums = {}}, 7, false};
}

TEST(replacement_search, goes_round_in_the_order_of_the_epoch) {
    const Sampling in_order = sampling_of(5);
    ReplacementSearch search(in_order, 0, 3, 2);
    EXPECT_EQ(search.drawn().index, 3U);
    EXPECT_TRUE(search.take_bad().empty());
    search.pass_over(bad_one(search.drawn()));
    EXPECT_EQ(search.drawn().index, 4U);
    search.pass_over(bad_one(search.drawn()));
    EXPECT_EQ(search.drawn().index, 0U);
    EXPECT_EQ(search.drawn().repeat, 10U) << "the replacement must not draw like the sample at its own place";
    const std::vector<BadSample> bad = search.take_bad();
    ASSERT_EQ(bad.size(), 2U);
    EXPECT_EQ(bad[0].taken, 4U);
    EXPECT_EQ(bad[1].taken, 0U);
}

TEST(replacement_search, fails_if_no_more_may_be_bad) {
    const Sampling in_order = sampling_of(5);
    ReplacementSearch search(in_order, 0, 3, 1);
    search.pass_over(bad_one(search.drawn()));
    expect_contains(error_of([&] { search.pass_over(bad_one(search.drawn())); }),
                    {"3 sample 4; with it, 2 consecutive samples", "data.skip_bad = 1", "Before it: 3: not a picture"});
}

TEST(replacement_search, fails_if_all_data_are_bad) {
    const Sampling in_order = sampling_of(2);
    ReplacementSearch search(in_order, 0, 0, 9);
    search.pass_over(bad_one(search.drawn()));
    expect_contains(error_of([&] { search.pass_over(bad_one(search.drawn())); }), {"every sample of the data is bad"});
}

// The weights make one sample the whole epoch.
TEST(replacement_search, skips_a_bad_sample_that_comes_again) {
    const auto sums = std::make_shared<const std::vector<double>>(std::vector<double>{1.0, 1.0, 1.0});
    const Sampling weighted({.length = 3, .blocks = {}, .parts = {}, .weight_sums = sums}, 7, true);
    ReplacementSearch search(weighted, 0, 1, 9);
    EXPECT_EQ(search.drawn().index, 0U);
    expect_contains(error_of([&] { search.pass_over(bad_one(search.drawn())); }), {"every sample of the epoch is bad"});
}

}  // namespace
}  // namespace sluice::data
