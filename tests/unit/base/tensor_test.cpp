// Sizes of tensors.
#include "base/tensor.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace sluice {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

TEST(Tensor, has_a_size) {
    EXPECT_EQ(element_count(make_spec(kFloat32, {2, 3, 4})), 24);
    EXPECT_EQ(byte_count(make_spec(kFloat32, {2, 3, 4})), 96U);
    EXPECT_EQ(byte_count(make_spec(kUint8, {})), 1U);
    EXPECT_EQ(byte_count(make_spec(kFloat32, {kMost, 0})), 0U);
}

// Products must not wrap: 2^32 times 2^32 elements would then count as 0.
TEST(Tensor, is_never_smaller_than_it_says) {
    constexpr std::int64_t kHalf = std::int64_t{1} << 32;
    EXPECT_EQ(element_count(make_spec(kUint8, {kHalf, kHalf})), kMost);
    EXPECT_EQ(element_count(make_spec(kUint8, {5, 4'000'000'000'000'000'000, 3})), kMost);
    EXPECT_EQ(byte_count(make_spec(kFloat32, {std::int64_t{1} << 62})), std::numeric_limits<std::uint64_t>::max() / 8);
}

}  // namespace
}  // namespace sluice
