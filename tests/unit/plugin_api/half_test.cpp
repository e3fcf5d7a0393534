// The 16-bit float types, compared with arithmetic in float64.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "sluice/half.h"

namespace sluice::test {
namespace {

// Returns the value of finite bits, by the definition of the format.
double value_of(std::uint16_t bits, int exponent_bits, int fraction_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
    const int fraction = bits & ((1 << fraction_bits) - 1);
    const double size = exponent == 0 ? std::ldexp(fraction, 1 - bias - fraction_bits)
                                      : std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
    return (bits & 0x8000) != 0 ? -size : size;
}

struct Format {
    int exponent_bits;
    int fraction_bits;
    float (*widen)(std::uint16_t);
    std::uint16_t (*narrow)(float);
    [[nodiscard]] std::uint16_t infinity() const {
        return static_cast<std::uint16_t>(0x7FFF << fraction_bits & 0x7FFF);
    }
};

const Format kBfloat{8, 7, sluice_float_of_bfloat16, sluice_bfloat16_of_float};
const Format kHalf{5, 10, sluice_float_of_float16, sluice_float16_of_float};

class Halves : public testing::TestWithParam<Format> {};

TEST_P(Halves, widen_exactly_and_come_back) {
    const Format& format = GetParam();
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const float wide = format.widen(half);
        if ((half & 0x7FFF) < format.infinity()) {
            ASSERT_EQ(wide, value_of(half, format.exponent_bits, format.fraction_bits)) << bits;
        } else {
            ASSERT_EQ(std::isnan(wide), (half & 0x7FFF) != format.infinity()) << bits;
        }
        if (!std::isnan(wide)) {
            ASSERT_EQ(format.narrow(wide), half) << bits;
        }
    }
}

// A number between two neighbours becomes the nearer one. The middle becomes the one with an even last bit.
TEST_P(Halves, round_to_the_nearest) {
    const Format& format = GetParam();
    for (std::uint16_t half = 0; half + 1 < format.infinity(); ++half) {
        const double low = value_of(half, format.exponent_bits, format.fraction_bits);
        const double high = value_of(half + 1, format.exponent_bits, format.fraction_bits);
        const auto middle = static_cast<float>((low + high) / 2);
        const auto even = static_cast<std::uint16_t>(half + (half & 1));
        ASSERT_EQ(format.narrow(middle), even) << half;
        ASSERT_EQ(format.narrow(-middle), even | 0x8000) << half;
        const float infinity = std::numeric_limits<float>::infinity();
        ASSERT_EQ(format.narrow(std::nextafter(middle, 0.0F)), half);
        ASSERT_EQ(format.narrow(std::nextafter(middle, infinity)), half + 1);
    }
}

TEST_P(Halves, keep_what_is_not_finite) {
    const Format& format = GetParam();
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(format.narrow(infinity), format.infinity());
    EXPECT_EQ(format.narrow(-std::numeric_limits<float>::max()), format.infinity() | 0x8000);
    for (const std::uint32_t bits : {0x7F800001U, 0x7FC00000U, 0x7FFFFFFFU, 0xFF800001U, 0xFFFFFFFFU}) {
        EXPECT_TRUE(std::isnan(format.widen(format.narrow(std::bit_cast<float>(bits))))) << bits;
    }
}

INSTANTIATE_TEST_SUITE_P(both, Halves, testing::Values(kBfloat, kHalf),
                         [](const auto& test) { return test.index == 0 ? "bfloat16" : "float16"; });

}  // namespace
}  // namespace sluice::test
