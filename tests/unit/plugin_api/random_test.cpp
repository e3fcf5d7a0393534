// The generator must give the numbers of its authors' implementation, so that plugins in any language draw the same.
#include "sluice/random.h"

#include <gtest/gtest.h>

#include <array>

namespace sluice {
namespace {

using Words = std::array<std::uint32_t, 4>;

// If the stream of a key is 0, its seed and counter and the block are the generator's input words without a change.
Words drawn(const sluice_random_key& key, std::uint64_t block) {
    Words words{};
    sluice_philox(&key, block, words.data());
    return words;
}

// These are the known answers of philox4x32 with 10 rounds, from the generator's distribution (Random123).
TEST(Random, is_philox_4x32_10) {
    constexpr std::uint64_t kOnes = ~std::uint64_t{0};
    EXPECT_EQ(drawn({0, 0, 0}, 0), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(drawn({kOnes, 0, kOnes}, kOnes), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(drawn({0x299f31d0a4093822, 0, 0x0370734413198a2e}, 0x85a308d3243f6a88),
              (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, of_another_stream_is_that_of_another_seed) {
    EXPECT_EQ(drawn({7, 1, 3}, 2), drawn({7 ^ 0x9E3779B97F4A7C15, 0, 3}, 2));
    EXPECT_NE(drawn({7, 1, 3}, 2), drawn({7, 2, 3}, 2));
}

}  // namespace
}  // namespace sluice
