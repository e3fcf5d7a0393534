#include "base/peaks/multiply_loops.hpp"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

TEST(MultiplyLoops, do_something_in_each_turn) {
    for (const sluice_dtype operands : {kFloat32, kBfloat16, kFloat16, kFloat64}) {
        const std::vector<MultiplyLoop> loops = multiply_loops(operands);
        ASSERT_FALSE(loops.empty());
        for (const MultiplyLoop& loop : loops) {
            EXPECT_GT(loop.flops, 0.0);
            EXPECT_EQ(loop.run(0), 0.0);
            EXPECT_GT(loop.run(1), 0.0);
            EXPECT_GT(loop.run(2), loop.run(1));
        }
    }
}

// A kernel may widen 16 bits and multiply in float32.
TEST(MultiplyLoops, of_16_bits_include_that_of_float32) {
    const MultiplyLoop widest = multiply_loops(kFloat32).front();
    for (const sluice_dtype operands : {kBfloat16, kFloat16}) {
        EXPECT_EQ(multiply_loops(operands).front().run, widest.run);
    }
    EXPECT_EQ(multiply_loops(kFloat32).size(), 1U);
}

}  // namespace
}  // namespace sluice::test
