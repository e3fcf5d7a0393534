// Bucket sizes that are tried one after the other.
#include <gtest/gtest.h>

#include "run/tuning/bucket_tuner.hpp"

namespace sluice::run {
namespace {

TEST(BucketTrial, takes_the_fastest_step_of_each_size) {
    BucketTrial trial({4, 1, 16});
    std::vector<std::uint64_t> tried;
    while (!trial.is_over()) {
        tried.push_back(trial.size());
        const bool is_slow = tried.size() <= 3;
        trial.add_step((trial.size() == 1 ? 0.5 : 1.0) + (is_slow ? 9.0 : 0.0));
    }
    EXPECT_EQ(tried.size(), 12U);
    EXPECT_EQ(std::vector(tried.begin(), tried.begin() + 4), (std::vector<std::uint64_t>{4, 1, 16, 4}));
    EXPECT_EQ(trial.seconds(), (std::vector{1.0, 0.5, 1.0}));
    EXPECT_EQ(BucketTrial::best_of(trial.seconds()), 1U);
}

TEST(BucketTrial, keeps_the_first_size_unless_another_is_clearly_faster) {
    EXPECT_EQ(BucketTrial::best_of({1.0, 0.99, 1.2}), 0U);
    EXPECT_EQ(BucketTrial::best_of({1.0, 0.99, 0.95}), 2U);
}

TEST(BucketTrial, of_one_size_is_over) { EXPECT_TRUE(BucketTrial({4}).is_over()); }

}  // namespace
}  // namespace sluice::run
