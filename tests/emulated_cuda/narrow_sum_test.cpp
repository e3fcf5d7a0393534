// All-reduces and reduce-scatters of float32 that are sent as bfloat16, on emulated GPUs and on those of the machine.
// Each replica gets the bits that processes on CPUs would get.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <bit>
#include <cmath>
#include <limits>

#include "mirrored_test.hpp"
#include "registry/optional/usage.hpp"
#include "sluice/half.h"
#include "unit/strategies/collective_ranges.hpp"

namespace sluice::test {
namespace {

using registry::Block;

using Ranges = std::vector<std::vector<float>>;  // by replica

float rounded(float value) { return sluice_float_of_bfloat16(sluice_bfloat16_of_float(value)); }

std::vector<float> rounded(std::vector<float> values) {
    std::ranges::transform(values, values.begin(), [](float value) { return rounded(value); });
    return values;
}

// Returns numbers of 8 bits that differ so much in size that float32 rounds their sums.
Ranges values_of(std::size_t replicas, std::size_t count) {
    Ranges ranges = random_values<float>(replicas, count);
    for (std::size_t r = 0; r < replicas; ++r) {
        for (std::size_t e = 0; e < count; ++e) {
            ranges[r][e] = std::ldexp(ranges[r][e], static_cast<int>((7 * e + 11 * r) % 30));
        }
    }
    return ranges;
}

std::vector<float> sums_of(const Ranges& ranges) {
    std::vector<float> sums(ranges.front().size());
    for (std::size_t e = 0; e < sums.size(); ++e) {
        sums[e] = tree_sum(ranges, e, 0, ranges.size());
    }
    return sums;
}

// Returns the sums, in float32, of the rounded numbers of each replica.
std::vector<float> sums_of_rounded(Ranges ranges) {
    std::ranges::transform(ranges, ranges.begin(), [](const auto& range) { return rounded(range); });
    return sums_of(ranges);
}

// NaN has many bit patterns, and all of them count as the same.
bool have_same_bits(float found, float right) {
    return std::isnan(right) ? std::isnan(found)
                             : std::bit_cast<std::uint32_t>(found) == std::bit_cast<std::uint32_t>(right);
}

constexpr std::size_t kSmall = 4096;  // up to this many elements are sent as float32

class NarrowSum : public GpuMirrored {
protected:
    // Starts a collective over the last `count` elements of a block.
    static void start(const Replica& own, const registry::Strategy& strategy, const Block& block, std::size_t count,
                      std::uint32_t kind) {
        sluice_collective range = own.range_of(block, kind, "gradients");
        range.data = block.data() + block.size() - count * sizeof(float);
        range.count = count;
        range.wire = kBfloat16;
        strategy.start(range);
    }

    // Runs twice, because the replicas first connect in the first exchange. They must find `right`, all of it or each
    // its own slice, and the elements before the range must not change.
    static void expect_found(const Ranges& brought, std::uint32_t kind, const std::vector<float>& right,
                             std::size_t skipped = 0, const std::string& strategy_name = "mirrored",
                             const std::string& wire = "bfloat16") {
        const auto replicas = static_cast<std::uint32_t>(brought.size());
        const std::size_t count = right.size();
        const std::size_t slice = kind == SLUICE_COLLECTIVE_SUM ? count : count / replicas;
        const registry::Strategy strategy = open(replicas, strategy_name, wire);
        each(replicas, [&](const Replica& own) {
            std::vector<float> values(skipped, 0.1F);
            values.insert(values.end(), brought[own.local].begin(), brought[own.local].end());
            const std::size_t first = kind == SLUICE_COLLECTIVE_SUM ? 0 : slice * own.local;
            for (int turn = 0; turn < 2; ++turn) {
                const Block block = own.upload(values);
                start(own, strategy, block, count, kind);
                strategy.finish(own.local, 30.0);
                const auto found = own.download<float>(block);
                EXPECT_EQ(std::ranges::count(found.begin(), found.begin() + skipped, 0.1F), skipped);
                std::size_t different = 0;
                for (std::size_t e = first; e < first + slice; ++e) {
                    different += have_same_bits(found[skipped + e], right[e]) ? 0 : 1;
                }
                EXPECT_EQ(different, 0U) << "replica " << own.local << " of " << replicas << ", " << count;
            }
        });
    }

    static void expect_sums(std::uint32_t replicas, std::size_t count, std::size_t skipped = 0,
                            const std::string& strategy_name = "mirrored") {
        const Ranges brought = values_of(replicas, count);
        const auto right = rounded(sums_of_rounded(brought));
        EXPECT_NE(right, rounded(sums_of(brought)));
        expect_found(brought, SLUICE_COLLECTIVE_SUM, right, skipped, strategy_name);
    }

    static void expect_slices(std::uint32_t replicas, std::size_t slice) {
        const Ranges brought = values_of(replicas, slice * replicas);
        expect_found(brought, SLUICE_COLLECTIVE_REDUCE_SCATTER, sums_of_rounded(brought));
    }
};

TEST_P(NarrowSum, of_two_has_the_bits_of_float32) {
    SKIP_WITHOUT_GPUS(2)
    expect_sums(2, 20000);
    expect_slices(2, 10000);
}

TEST_P(NarrowSum, of_three_has_the_bits_of_float32) {
    SKIP_WITHOUT_GPUS(3)
    expect_sums(3, 19999);
    expect_slices(3, 10000);
}

TEST_P(NarrowSum, of_four_has_the_bits_of_float32) {
    SKIP_WITHOUT_GPUS(4)
    expect_sums(4, 19999);
    expect_slices(4, 10000);
}

// With seven replicas, each order of summation has another tree.
TEST_P(NarrowSum, of_seven_has_the_bits_of_float32) {
    SKIP_WITHOUT_GPUS(7)
    expect_sums(7, 9999);
    expect_slices(7, 1000);
}

TEST_P(NarrowSum, begins_and_ends_anywhere) {
    SKIP_WITHOUT_GPUS(3)
    for (const std::size_t count : {kSmall + 1, kSmall + 30, kSmall + 191}) {
        expect_sums(3, count);
        expect_sums(3, count, 1);
    }
    for (const std::size_t slice : {1, 7, 64, 1003}) {
        expect_slices(3, slice);
    }
}

TEST_P(NarrowSum, of_what_is_large_is_made_in_pieces) {
    SKIP_WITHOUT_GPUS(2)
    expect_sums(2, 5'000'003);
    expect_slices(2, 2'500'001);
}

TEST_P(NarrowSum, by_multi_worker_is_the_same) {
    SKIP_WITHOUT_GPUS(2)
    if (!has_multi_worker()) {
        GTEST_SKIP() << "built without MPI";
    }
    expect_sums(2, 20000, 0, "multi_worker");
}

TEST_P(NarrowSum, of_what_is_small_travels_as_it_is) {
    SKIP_WITHOUT_GPUS(2)
    const Ranges brought = values_of(2, kSmall);
    expect_found(brought, SLUICE_COLLECTIVE_SUM, sums_of(brought));
}

TEST_P(NarrowSum, of_one_is_what_was_there) {
    SKIP_WITHOUT_GPUS(1)
    const Ranges brought = values_of(1, 20000);
    expect_found(brought, SLUICE_COLLECTIVE_SUM, brought.front());
}

TEST_P(NarrowSum, is_rounded_to_even_if_it_lies_between) {
    SKIP_WITHOUT_GPUS(2)
    Ranges brought(2, std::vector<float>(2 * kSmall));
    std::vector<float> right(2 * kSmall);
    const auto set = [&](std::size_t at, float first, float second, float sum) {
        brought[0][at] = first;
        brought[1][at] = second;
        right[at] = sum;
    };
    set(0, 1.00390625F, 0.0F, 1.0F);  // 1 + 2^-8, and 1 + 3 * 2^-8
    set(1, 1.01171875F, 0.0F, 1.015625F);
    set(2, 0.0F, -1.00390625F, -1.0F);
    set(3, 256.0F, 1.0F, 256.0F);  // here the sum is halfway between two numbers, and the inputs are not
    set(4, 258.0F, 1.0F, 260.0F);
    set(5, -256.0F, -1.0F, -256.0F);
    expect_found(brought, SLUICE_COLLECTIVE_SUM, right);
    right[3] = 257.0F;  // a reduce-scatter does not round its result
    right[4] = 259.0F;
    right[5] = -257.0F;
    expect_found(brought, SLUICE_COLLECTIVE_REDUCE_SCATTER, right);
}

// This also holds if the first 16 bits of a NaN are those of infinity, or if rounding carries into its sign.
TEST_P(NarrowSum, is_nan_if_one_addend_is_nan) {
    SKIP_WITHOUT_GPUS(2)
    Ranges brought(2, std::vector<float>(2 * kSmall, 1.0F));
    std::vector<float> right(2 * kSmall, 2.0F);
    std::size_t at = 100;
    for (const std::uint32_t bits : {0x7FC00000U, 0x7F800001U, 0x7FFFFFFFU, 0xFF800001U, 0xFFFFFFFFU}) {
        for (const std::size_t replica : {0, 1}) {
            brought[replica][at] = std::bit_cast<float>(bits);
            right[at++] = std::numeric_limits<float>::quiet_NaN();
        }
    }
    brought[0][at] = std::numeric_limits<float>::infinity();
    brought[1][at] = -std::numeric_limits<float>::infinity();
    right[at] = std::numeric_limits<float>::quiet_NaN();
    expect_found(brought, SLUICE_COLLECTIVE_SUM, right);
    expect_found(brought, SLUICE_COLLECTIVE_REDUCE_SCATTER, right);
}

TEST_P(NarrowSum, is_infinite_if_one_addend_is) {
    SKIP_WITHOUT_GPUS(2)
    Ranges brought = values_of(2, 5000);
    brought[0][17] = std::numeric_limits<float>::infinity();
    brought[1][18] = 3.4e38F;  // rounds to infinity
    const auto right = rounded(sums_of_rounded(brought));
    EXPECT_TRUE(std::isinf(right[17]) && std::isinf(right[18]));
    expect_found(brought, SLUICE_COLLECTIVE_SUM, right);
}

// One exchange has several collectives, each of which uses the memory of the one before. It is replayed with other
// values.
TEST_P(NarrowSum, can_be_recorded) {
    SKIP_WITHOUT_GPUS(2)
    constexpr std::size_t kCount = 10000;
    const registry::Strategy strategy = open(2, "mirrored", "bfloat16");
    const Ranges brought = values_of(2, 2 * kCount);
    each(2, [&](const Replica& own) {
        const Block large = own.upload(brought[own.local]);
        const Block small = own.upload(std::vector<float>(kCount));
        const Block cut = own.upload(std::vector<float>(kCount));
        const auto exchange = [&] {
            start(own, strategy, large, 2 * kCount, SLUICE_COLLECTIVE_SUM);
            start(own, strategy, small, kCount, SLUICE_COLLECTIVE_SUM);
            start(own, strategy, cut, kCount, SLUICE_COLLECTIVE_REDUCE_SCATTER);
            strategy.finish(own.local, 30.0);
        };
        exchange();
        own.gpu->wait(own.stream.handle());
        registry::GraphCapture capture(own.gpu, own.stream.handle());
        exchange();
        const registry::Graph graph = capture.end();
        for (float factor = 1.0F; factor < 4.0F; ++factor) {
            Ranges values = brought;
            for (auto& range : values) {
                std::ranges::transform(range, range.begin(), [&](float value) { return value * factor; });
            }
            const auto fill = [&](const Block& block) {
                own.gpu->copy(block.data(), values[own.local].data(), block.size(), own.stream.handle());
            };
            fill(large);
            fill(small);
            fill(cut);
            strategy.finish(own.local, 30.0);
            graph.launch(own.stream.handle());
            const auto sums = sums_of_rounded(values);
            EXPECT_EQ(own.download<float>(large), rounded(sums));
            EXPECT_EQ(own.download<float>(small), rounded({sums.begin(), sums.begin() + kCount}));
            const auto found = own.download<float>(cut);
            const std::size_t first = own.local * kCount / 2;
            EXPECT_TRUE(std::equal(&found[first], &found[first] + kCount / 2, &sums[first]));
        }
    });
}

// The memory for the sums is allocated only if the pipeline asks for bfloat16.
TEST_P(NarrowSum, takes_memory_only_if_the_wire_type_is_bfloat16) {
    SKIP_WITHOUT_GPUS(2)
    if (GetParam() != std::string("emulated_cuda")) {
        GTEST_SKIP() << "here NCCL allocates memory, too";
    }
    const auto taken = [](const std::string& wire) {  // by both replicas: emulated GPUs share the free memory
        const registry::Strategy strategy = open(2, "mirrored", wire);
        std::barrier both{2};
        std::atomic<std::uint64_t> bytes = 0;
        each(2, [&](const Replica& own) {
            const Block block = own.upload(std::vector<float>(8));
            both.arrive_and_wait();
            const std::uint64_t before = registry::free_memory(*own.gpu);
            both.arrive_and_wait();
            own.start(strategy, block, SLUICE_COLLECTIVE_SUM, "losses");
            strategy.finish(own.local, 30.0);
            both.arrive_and_wait();
            bytes = before - registry::free_memory(*own.gpu);
            both.arrive_and_wait();
        });
        return bytes.load();
    };
    EXPECT_EQ(taken("bfloat16") - taken("float32"), std::uint64_t{32} << 20);
}

TEST_P(NarrowSum, of_those_who_did_not_ask_for_it_travels_as_it_is) {
    SKIP_WITHOUT_GPUS(2)
    const Ranges brought = values_of(2, 20000);
    expect_found(brought, SLUICE_COLLECTIVE_SUM, sums_of(brought), 0, "mirrored", "float32");
}

TEST_P(NarrowSum, names_who_does_not_come) {
    SKIP_WITHOUT_GPUS(2)
    const registry::Strategy strategy = open(2, "mirrored", "bfloat16");
    each(2, [&](const Replica& own) {
        const Block block = own.upload(std::vector<float>(5000));
        start(own, strategy, block, 5000, SLUICE_COLLECTIVE_SUM);
        strategy.finish(own.local, 30.0);
        own.gpu->wait(own.stream.handle());
        if (own.local == 0) {
            start(own, strategy, block, 5000, SLUICE_COLLECTIVE_SUM);
            start(own, strategy, block, 5000, SLUICE_COLLECTIVE_SUM);
            strategy.finish(0, 0.5);
            own.gpu->wait(own.stream.handle());
            expect_part(lost_error([&] { strategy.finish(0, 0.5); }),
                        "replica 1 did not join 'gradients' (5000 elements) within 0.5 s");
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Emulated, NarrowSum, testing::Values("emulated_cuda"));
INSTANTIATE_TEST_SUITE_P(Real, NarrowSum, testing::Values("cuda"));

}  // namespace
}  // namespace sluice::test
