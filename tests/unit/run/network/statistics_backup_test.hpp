// Running statistics of a small network, for tests of their backups.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "run/weights/weights.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::test {

class StatisticsBackupTest : public testing::Test {
protected:
    void set(float value) { std::fill_n(weights_.running(), weights_.running_count(), value); }
    [[nodiscard]] std::vector<float> values() const {
        return {weights_.running(), weights_.running() + weights_.running_count()};
    }

    // There are two norms of eight channels. The second one has a single value of each sample.
    const PlanBench bench_{{"device.measure=false"}, pipeline_of(R"(
  { type = "conv2d", filters = 8 },
  { type = "batch_norm", name = "usual" },
  { type = "global_average_pool", keep_extents = true },
  { type = "batch_norm", name = "pooled" },
  { type = "upsample", factor = 16 },
  { type = "conv2d", filters = 3 },
)")};
    const plan::Plan plan_ = bench_.plan(plan::Mode::train);
    run::Weights weights_{bench_.tools.device, plan_, {}};
};

}  // namespace sluice::test
