// Layers that write their output over their input.
#include <gtest/gtest.h>

#include "plan/passes/lifetimes.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

using plan::Mode;

TEST(PlanInPlace, outputs_overwrite_what_nobody_reads) {
    const PlanBench bench({"device.kernels=reference"});
    const plan::Plan plan = bench.plan(Mode::evaluate);
    std::size_t shared = 0;
    for (const plan::Step& step : plan.steps) {
        const bool is_over = plan.memory.tensors[step.inputs.front()] == plan.memory.tensors[step.outputs.front()];
        const bool may = !step.kernel.needs().in_place.empty();
        EXPECT_TRUE(may || !is_over) << plan.graph.nodes[step.nodes.front()].path;
        shared += is_over ? 1 : 0;
    }
    EXPECT_GE(shared, 4U);
}

// The last `add` reads the fork `stem` again. So its memory must outlive batch_norm, which could overwrite it.
TEST(PlanInPlace, outputs_never_overwrite_what_is_read_later) {
    const PlanBench bench({"device.kernels=reference"});
    const plan::Plan plan = bench.plan(Mode::evaluate);
    const plan::Lives lives = plan::find_lives(plan);
    for (plan::TensorId id = 0; id < lives.tensors.size(); ++id) {
        const plan::TensorId home = plan.memory.tensor_storage[id];
        if (home != id) {
            EXPECT_LE(lives.tensors[home].last, lives.tensors[id].first);
            EXPECT_FALSE(plan.graph.tensors[home].kept);
        }
    }
}

}  // namespace
}  // namespace sluice::test
