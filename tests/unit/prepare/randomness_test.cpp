// Finding transforms that draw at random but do not report it.
#include "prepare/randomness.hpp"
#include "unit/data/data_test_chain.hpp"

namespace sluice::prepare {
namespace {

bool draws(const std::string& map, const std::string& source = "length = 200") {
    return is_last_random(data::stream_spec(data::with_map(map, source)), {.seed = 7, .purpose = "data.train"},
                          data::test_registry());
}

TEST(PrepareRandomness, is_found) { EXPECT_TRUE(draws("{ use = \"test_noise\" }")); }

// Of the good samples, only sample 199 draws. It is not among the few samples that are tested in most epochs.
TEST(PrepareRandomness, for_few_samples_is_found) {
    EXPECT_TRUE(draws("{ use = \"test_sum\" }, { use = \"test_noise\", every = 199 }", "length = 200, bad_at = [0]"));
}

TEST(PrepareRandomness, is_not_found_if_all_draws_are_before) {
    EXPECT_FALSE(draws("{ use = \"test_noise\" }, { use = \"test_sum\" }"));
}

}  // namespace
}  // namespace sluice::prepare
