// Indices and random words that kernels of the CUDA plugin compute. These tests need no GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "cuda/divide.cuh"
#include "cuda/random.cuh"
#include "images/upsample_axis.hpp"
#include "kernels/pool_axes.hpp"

namespace {

using namespace sluice::cudnn;

constexpr std::uint32_t kLargest = 0x7FFFFFFF;

TEST(CudnnIndices, are_divided_as_the_division_does) {
    std::vector<std::uint32_t> divisors{
        1, 2, 3, 5, 7, 64, 224, 641, 65535, 65536, 65537, 1U << 30, (1U << 30) + 1, kLargest - 1, kLargest};
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i) {
        divisors.push_back(static_cast<std::uint32_t>(random() % 100000 + 1));
    }
    for (const std::uint32_t divisor : divisors) {
        const Divider divider(divisor);
        std::vector<std::uint32_t> indices{0,
                                           1,
                                           divisor - 1,
                                           divisor,
                                           kLargest,
                                           kLargest - 1,
                                           kLargest / divisor * divisor,
                                           kLargest / divisor * divisor - 1};
        for (int i = 0; i < 200; ++i) {
            indices.push_back(static_cast<std::uint32_t>(random()) & kLargest);
        }
        for (const std::uint32_t index : indices) {
            if (index > kLargest) {
                continue;  // 0 - 1 has wrapped
            }
            std::uint32_t whole = index;
            const std::uint32_t rest = divider.split(whole);
            ASSERT_EQ(whole, index / divisor) << index << " by " << divisor;
            ASSERT_EQ(rest, index % divisor) << index << " by " << divisor;
        }
    }
}

TEST(CudnnIndices, of_windows_agree_with_those_that_read_an_element) {
    for (const std::int32_t kernel : {1, 2, 3, 5}) {
        for (const std::int32_t stride : {1, 2, 3, 4}) {
            for (std::int32_t before = 0; before < kernel; ++before) {
                const std::int32_t in = 7;
                const std::int32_t out = (in + before - kernel) / stride + 1;
                const PoolAxis axis{.in = Divider(in),
                                    .out = Divider(out),
                                    .stride = Divider(stride),
                                    .kernel = kernel,
                                    .before = before};
                for (std::uint32_t i = 0; i < 7; ++i) {
                    for (std::uint32_t o = 0; o < static_cast<std::uint32_t>(out); ++o) {
                        const std::int32_t tap = static_cast<std::int32_t>(i) - axis.origin(o);
                        const bool reads = tap >= static_cast<std::int32_t>(axis.taps(o).begin) &&
                                           tap < static_cast<std::int32_t>(axis.taps(o).end);
                        EXPECT_EQ(reads, tap >= 0 && tap < kernel);
                        EXPECT_EQ(reads, o >= axis.readers(i).begin && o < axis.readers(i).end)
                            << "kernel " << kernel << " stride " << stride << " before " << before << " input " << i
                            << " output " << o;
                    }
                }
            }
        }
    }
}

TEST(CudnnIndices, of_upsampling_find_every_share_of_an_output) {
    for (const std::int64_t factor : {1, 2, 3, 4, 5, 8}) {
        for (const std::int64_t extent : {1, 2, 5}) {
            const UpsampleAxis axis(extent, factor);
            for (std::uint32_t o = 0; o < axis.out.divisor(); ++o) {
                float found = 0.0F;
                double at = 0.0;
                for (std::uint32_t i = 0; i < axis.in.divisor(); ++i) {
                    if (o >= axis.readers(i).begin && o < axis.readers(i).end) {
                        found += axis.share(o, i);
                        at += static_cast<double>(axis.share(o, i)) * i;
                    }
                }
                const double exact = (o + 0.5) / static_cast<double>(factor) - 0.5;
                EXPECT_FLOAT_EQ(found, 1.0F) << "factor " << factor << " output " << o;
                EXPECT_NEAR(at, std::clamp(exact, 0.0, static_cast<double>(extent - 1)), 1e-6);
            }
        }
    }
}

TEST(CudnnRandom, gives_the_words_of_the_interface) {
    for (const sluice_random_key key :
         {sluice_random_key{0, 0, 0}, {1, 2, 3}, {~0ULL, 0x123456789ABCDEFULL, 1ULL << 40}}) {
        for (const std::uint64_t block : {0ULL, 1ULL, 77ULL, 1ULL << 33}) {
            std::uint32_t expected[4];
            sluice_philox(&key, block, expected);
            const RandomWords words = philox(key, block);
            EXPECT_TRUE(std::equal(expected, expected + 4, words.values)) << "block " << block;
        }
    }
}

}  // namespace
