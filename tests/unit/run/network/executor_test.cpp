// The executor reports gradients while backward still computes others, so that their exchange can begin early.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "base/error.hpp"
#include "run/network/executor.hpp"
#include "run/network/replica_lost.hpp"
#include "unit/executor_bench.hpp"

namespace sluice::test {
namespace {

struct Report {
    std::uint64_t elements;
    std::vector<float> gradients;  // all of them, at the time of the report
};

std::vector<Report> backward(ExecutorBench& bench, bool accumulate) {
    std::vector<Report> report;
    bench.executor.forward(1);
    bench.executor.backward(1, accumulate, [&](std::uint64_t elements) {
        report.push_back({elements, bench.gradients()});
    });
    return report;
}

// Reported gradients must have their final values. At the first report, other gradients must not have them yet.
void expect_final_and_early(const std::vector<Report>& all, const std::vector<float>& end) {
    const auto first = std::ranges::find_if(all, [](const Report& report) { return report.elements > 0; });
    ASSERT_NE(first, all.end());
    EXPECT_FALSE(std::ranges::equal(first->gradients, end)) << first->elements << " of " << end.size();
    EXPECT_TRUE(std::ranges::is_sorted(all, {}, &Report::elements));
    EXPECT_EQ(all.back().elements, end.size());
    for (const Report& report : all) {
        EXPECT_TRUE(std::equal(end.begin(), end.begin() + static_cast<std::ptrdiff_t>(report.elements),
                               report.gradients.begin()))
            << report.elements << " of " << end.size();
    }
}

TEST(Executor, reports_gradients_when_they_are_final_and_before_backward_ends) {
    for (const std::string kernels : {"device.kernels=[\"onednn\",\"reference\"]", "device.kernels=reference"}) {
        for (const std::string recompute : {"none", "full"}) {
            SCOPED_TRACE(kernels + " " + recompute);
            const PlanBench bench({kernels, "train.recompute=" + recompute});
            const plan::Plan plan = bench.plan(plan::Mode::train);
            ExecutorBench step(bench, plan);
            const std::vector<Report> first_part = backward(step, false);
            expect_final_and_early(first_part, step.gradients());
            const std::vector<Report> next_part = backward(step, true);
            expect_final_and_early(next_part, step.gradients());
        }
    }
}

// Loses another process when the third launch has ended.
class Loses : public run::LaunchCallback {
public:
    void pass_begins() override {}
    void launch_ended(const plan::Launch&) override {
        if (++launches == 3) {
            run::report_replica_lost("process 1 is lost");
        }
    }

    int launches = 0;
};

void exit_where_others_are_lost() {
    const PlanBench bench;
    const plan::Plan plan = bench.plan(plan::Mode::train);
    ExecutorBench step(bench, plan);
    Loses callback;
    run::Executor executor(plan, step.weights, step.arena.data(),
                           {.scalars = &step.scalars,
                            .threads = step.threads.api(),
                            .callback = &callback,
                            .checks_for_lost_replicas = true});
    try {
        executor.forward(1);
    } catch (const Error& error) {
        std::cerr << error.what() << " after " << callback.launches << " launches\n";
        std::exit(static_cast<int>(error.exit()));
    }
}

// The test needs a process of its own, because a lost replica stays lost.
TEST(ExecutorDeathTest, breaks_a_step_off_if_another_process_is_lost) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(exit_where_others_are_lost(), testing::ExitedWithCode(7), "process 1 is lost after 3 launches");
}

}  // namespace
}  // namespace sluice::test
