// Sums and averages over whole buffers: exact, and the same for any number of threads.
#include "run/flat_math.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "run/threads.hpp"

namespace sluice::run {
namespace {

std::vector<float> uneven_values(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = std::sin(static_cast<float>(i)) * std::pow(10.0F, static_cast<float>(i % 7) - 3.0F);
    }
    return values;
}

TEST(FlatMath, square_sum_is_the_same_for_any_number_of_threads) {
    const std::vector<float> values = uneven_values(100'003);
    double expected = 0.0;
    for (const float value : values) {
        expected += static_cast<double>(value) * static_cast<double>(value);
    }
    SquareSum sum(values.size());
    const double alone = sum(*Threads(1).api(), values.data());
    EXPECT_NEAR(alone, expected, 1e-9 * expected);
    for (const int count : {2, 3, 5}) {
        EXPECT_EQ(sum(*Threads(count).api(), values.data()), alone) << count;
    }
    SquareSum none(0);
    EXPECT_EQ(none(*Threads(2).api(), values.data()), 0.0);
}

TEST(FlatMath, average_moves_by_its_share) {
    const std::vector<float> values = uneven_values(40'001);
    std::vector<float> average(values.size(), 1.0F);
    move_average(*Threads(2).api(), average.data(), values.data(), values.size(), 0.25F);
    for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_NEAR(average[i], 0.75F + 0.25F * values[i], 1e-6F * std::max(1.0F, std::abs(values[i]))) << i;
    }
}

TEST(FlatMath, average_forgets_its_start_faster) {
    EXPECT_DOUBLE_EQ(average_decay(0.999, 1), 2.0 / 11.0);
    EXPECT_DOUBLE_EQ(average_decay(0.999, 90), 0.91);
    EXPECT_DOUBLE_EQ(average_decay(0.999, 1'000'000), 0.999);
}

}  // namespace
}  // namespace sluice::run
