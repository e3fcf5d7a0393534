// Suggestions for misspelt words.
#include "base/text/nearest.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace sluice {
namespace {

const std::vector<std::string> kKnown{"batch", "prefetch", "workers"};

TEST(Nearest, is_the_candidate_with_the_fewest_changes) {
    EXPECT_EQ(did_you_mean("prefecth", kKnown), "; did you mean 'prefetch'?");
    EXPECT_EQ(did_you_mean("workersx", std::vector<std::string>{"worker", "workers"}), "; did you mean 'workers'?");
    EXPECT_EQ(did_you_mean("epochs", kKnown), std::nullopt);
    EXPECT_EQ(did_you_mean("epochs", {}), std::nullopt);
}

TEST(Nearest, is_suggested_or_else_a_few_candidates_are) {
    EXPECT_EQ(suggestion("prefecth", kKnown), "; did you mean 'prefetch'?");
    EXPECT_EQ(suggestion("epochs", kKnown), "; one of: batch, prefetch, workers");
    EXPECT_EQ(suggestion("epochs", {}), "");
    EXPECT_EQ(suggestion("epochs", std::vector<std::string>(25, "a long candidate")), "");
}

}  // namespace
}  // namespace sluice
