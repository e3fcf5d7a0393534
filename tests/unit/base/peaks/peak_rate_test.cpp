#include "base/peaks/peak_rate.hpp"

#include <gtest/gtest.h>

#include "unit/base/peaks/one_thread.hpp"

namespace sluice::test {
namespace {

// Even an unoptimised loop on the slowest machine computes so fast.
TEST(PeakRate, is_that_of_a_processor) {
    const OneThread threads;
    for (const sluice_dtype operands : {kFloat32, kBfloat16, kFloat16}) {
        const int before = threads.calls();
        EXPECT_GT(measure_peak_rate(*threads.api(), operands), 1e7);
        EXPECT_GT(threads.calls() - before, 5);
    }
}

}  // namespace
}  // namespace sluice::test
