// What was measured travels with the run: a checkpoint holds the choices of its kernels.
#include "run/checkpoint.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

TEST(RunCheckpoint, holds_what_kernels_measured) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("sluice_choices_" + std::to_string(::getpid()) + ".safetensors");
    const PlanBench saving;
    run::Replica replica(saving.spec, saving.tools, nullptr, saving.fields, 2);
    saving.tools.choices->remember("fake", "conv 3x3", "fast");
    run::save_checkpoint(file, saving.spec, {}, replica);

    const PlanBench resuming({"device.measure=false"});
    EXPECT_FALSE(resuming.tools.choices->may_measure());
    EXPECT_EQ(resuming.tools.choices->recall("fake", "conv 3x3"), "");
    resuming.tools.choices->restore(run::inspect_checkpoint(file).choices);
    EXPECT_EQ(resuming.tools.choices->recall("fake", "conv 3x3"), "fast");
    std::filesystem::remove(file);
}

}  // namespace
}  // namespace sluice::test
