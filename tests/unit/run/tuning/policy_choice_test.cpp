// The policy that `auto` stands for. It is measured once.
#include <gtest/gtest.h>

#include <memory>
#include <sstream>

#include "run/setup/open_optimizer.hpp"
#include "run/tuning/policy_choice.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

struct AutoBench : PlanBench {
    explicit AutoBench(std::vector<std::string> sets = {}, const std::string& remembered = {}, bool measures = true)
        : PlanBench((sets.insert(sets.begin(), {"precision.use=auto", "device.kernels=reference"}), sets)) {
        tools.choices = std::make_unique<registry::TuningCache>(std::filesystem::path(), measures);
        tools.choices->restore(remembered);
    }

    run::PolicyChoice settle(int team = 2, double memory = 0.5) {
        const registry::Optimizer optimizer = run::open_optimizer(spec, registry, "cpu");
        return run::settle_policy({spec, optimizer, fields, team, memory}, tools);
    }

    // Returns how many times a policy was measured.
    [[nodiscard]] std::ptrdiff_t measured() const {
        std::istringstream lines(tools.choices->used());
        std::ptrdiff_t count = 0;
        for (std::string line; std::getline(lines, line);) {
            count += line.starts_with("precision\t") ? 1 : 0;
        }
        return count;
    }

    // True if the pipeline's policy stores a convolution in fewer bits.
    [[nodiscard]] bool is_mixed() const {
        return tools.policies.front().precision->choose("conv2d", "stem", 0).storage == kBfloat16;
    }
};

TEST(RunPolicyChoice, is_measured_once_and_kept) {
    AutoBench first;
    const run::PolicyChoice measured = first.settle();
    EXPECT_NE(measured.why.find("float32 "), std::string::npos) << measured.why;
    EXPECT_NE(measured.why.find("mixed_bfloat16 "), std::string::npos) << measured.why;
    EXPECT_EQ(first.is_mixed(), measured.name == "mixed_bfloat16");

    // The choices come back as from a checkpoint, but with the other policy.
    std::string kept = first.tools.choices->used();
    const std::string chosen = "\t" + measured.name + ": ";
    const std::string other = measured.name == "float32" ? "mixed_bfloat16" : "float32";
    ASSERT_NE(kept.find(chosen), std::string::npos) << kept;
    kept.replace(kept.find(chosen), chosen.size(), "\t" + other + ": ");
    for (const bool measures : {true, false}) {
        AutoBench again({}, kept, measures);
        const run::PolicyChoice recalled = again.settle();
        EXPECT_EQ(recalled.name, other);
        EXPECT_EQ(recalled.why, measured.why);
        EXPECT_EQ(again.is_mixed(), other == "mixed_bfloat16");
        EXPECT_EQ(again.tools.choices->used(), kept);
    }
}

TEST(RunPolicyChoice, of_something_else_is_measured_anew) {
    AutoBench first;
    first.settle();
    const std::string kept = first.tools.choices->used();
    EXPECT_EQ(first.measured(), 1);
    AutoBench same({"optimizer.rate=0.5"}, kept);
    same.settle();
    EXPECT_EQ(same.measured(), 1);
    AutoBench other_threads({}, kept);
    other_threads.settle(1);
    EXPECT_EQ(other_threads.measured(), 2);
    AutoBench other_optimizer({"optimizer.use=sgd"}, kept);
    other_optimizer.settle();
    EXPECT_EQ(other_optimizer.measured(), 2);
    AutoBench plain_kernels({"device.kernels=[{ use = \"onednn\" }, \"reference\"]"}, kept);
    plain_kernels.settle();
    AutoBench other_kernels({"device.kernels=[{ use = \"onednn\", winograd = false }, \"reference\"]"},
                            plain_kernels.tools.choices->used());
    other_kernels.settle();
    EXPECT_EQ(other_kernels.measured(), plain_kernels.measured() + 1) << "the options of the kernels differ";
    AutoBench other_batch({}, kept);
    for (registry::Field& field : other_batch.fields) {
        field.spec.shape[0] = 4;
    }
    other_batch.settle();
    EXPECT_EQ(other_batch.measured(), 2);
}

TEST(RunPolicyChoice, is_measured_if_the_candidates_have_no_room_together) {
    AutoBench bench;
    const run::PolicyChoice choice = bench.settle(2, 0.0);
    EXPECT_NE(choice.why.find(" ms, mixed_bfloat16 "), std::string::npos) << choice.why;
    EXPECT_EQ(bench.is_mixed(), choice.name == "mixed_bfloat16");
}

TEST(RunPolicyChoice, is_float32_if_nothing_may_be_measured) {
    AutoBench bench({}, {}, false);
    const run::PolicyChoice choice = bench.settle();
    EXPECT_EQ(choice.name, "float32");
    EXPECT_NE(choice.why.find("device.measure"), std::string::npos);
    EXPECT_FALSE(bench.is_mixed());
}

TEST(RunPolicyChoice, of_a_plain_policy_is_none) {
    AutoBench bench({"precision.use=mixed_bfloat16"});
    EXPECT_EQ(bench.settle().name, "");
    EXPECT_TRUE(bench.is_mixed());
}

TEST(RunPolicyChoice, refuses_candidates_with_candidates) {
    AutoBench bench({"precision.candidates=[\"float32\", \"auto\"]"});
    EXPECT_NE(error_of([&] { bench.settle(); }).find("has candidates itself"), std::string::npos);
}

}  // namespace
}  // namespace sluice::test
