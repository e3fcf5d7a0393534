// The order of an epoch: a permutation that differs by epoch and seed and prefers no sample.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "data/chain/order.hpp"

namespace sluice::data {
namespace {

std::vector<std::uint64_t> all_of(std::uint64_t length, std::uint64_t seed, std::uint64_t epoch, bool shuffle = true) {
    const Order order(length, seed, epoch, shuffle);
    std::vector<std::uint64_t> indices(length);
    for (std::uint64_t i = 0; i < length; ++i) {
        indices[i] = order[i];
    }
    return indices;
}

TEST(order, is_a_permutation_for_every_length) {
    for (const std::uint64_t length : {1, 2, 3, 4, 5, 7, 15, 16, 17, 63, 64, 65, 255, 256, 257, 1000, 4097, 20000}) {
        std::vector<std::uint64_t> indices = all_of(length, 3, 1);
        const Order order(length, 3, 1, true);
        for (std::uint64_t i = 0; i < length; ++i) {
            ASSERT_EQ(order.position_of(indices[i]), i) << "length " << length;
        }
        std::ranges::sort(indices);
        for (std::uint64_t i = 0; i < length; ++i) {
            ASSERT_EQ(indices[i], i) << "length " << length;
        }
    }
}

TEST(order, takes_lengths_of_zero_and_beyond_32_bits) {
    EXPECT_TRUE(all_of(0, 1, 1).empty());
    const std::uint64_t length = (std::uint64_t{1} << 40) + 12345;
    const Order order(length, 1, 2, true);
    std::vector<std::uint64_t> some;
    for (std::uint64_t i = 0; i < 10000; ++i) {
        some.push_back(order[i]);
        EXPECT_LT(some.back(), length);
    }
    std::ranges::sort(some);
    EXPECT_EQ(std::ranges::adjacent_find(some), some.end());
}

TEST(order, is_the_identity_without_shuffle) {
    std::vector<std::uint64_t> expected(100);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(all_of(100, 1, 5, false), expected);
}

TEST(order, depends_on_epoch_and_seed_and_on_nothing_else) {
    EXPECT_EQ(all_of(100, 1, 5), all_of(100, 1, 5));
    EXPECT_NE(all_of(100, 1, 5), all_of(100, 1, 6));
    EXPECT_NE(all_of(100, 1, 5), all_of(100, 2, 5));
}

// The sum is chi-squared over (position, index) pairs. The bound is about five standard deviations above the mean.
TEST(order, puts_every_index_everywhere_about_equally_often) {
    constexpr std::uint64_t kLength = 13;
    constexpr int kEpochs = 13000;
    std::vector<int> counts(kLength * kLength);
    for (int epoch = 0; epoch < kEpochs; ++epoch) {
        const Order order(kLength, 42, static_cast<std::uint64_t>(epoch), true);
        for (std::uint64_t position = 0; position < kLength; ++position) {
            ++counts[position * kLength + order[position]];
        }
    }
    constexpr double kExpected = kEpochs / double{kLength};
    double chi = 0.0;
    for (const int count : counts) {
        chi += (count - kExpected) * (count - kExpected) / kExpected;
    }
    EXPECT_LT(chi, 144.0 + 5.0 * 17.0);
}

}  // namespace
}  // namespace sluice::data
