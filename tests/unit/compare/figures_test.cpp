#include "compare/figures.hpp"

#include <algorithm>

#include "unit/compare/made_runs.hpp"

namespace sluice::compare {
namespace {

class FiguresOfRuns : public MadeRuns {};

TEST_F(FiguresOfRuns, are_means_of_steady_steps_scores_and_peaks) {
    std::vector<history::RunRecord> runs;
    runs.push_back(make("a", {}));
    const std::vector<Figure> figures = figures_of({&runs.front()});
    const auto value = [&](const std::string& name) {
        const auto found = std::ranges::find(figures, name, &Figure::name);
        return found == figures.end() ? -1.0 : found->runs.at(0).mean;
    };
    EXPECT_NEAR(value("backward_seconds"), 0.008, 0.0005);
    EXPECT_NEAR(value("samples_per_second"), 4.0 / value("step_seconds"), 1e-9);
    EXPECT_EQ(value("exchange_seconds"), -1.0);  // no run has spent time there
    EXPECT_NEAR(value("validation.psnr"), 30.0, 0.3);
    EXPECT_EQ(value("validation.input_psnr"), -1.0);
    EXPECT_EQ(value("resident_bytes"), 300.0);
    EXPECT_EQ(value("gpu0_memory_bytes"), 9.0);
    EXPECT_NEAR(value("seconds"), 6.0, 1e-9);
    EXPECT_NEAR(value("loss"), 1.0, 0.1);
}

TEST_F(FiguresOfRuns, leave_out_the_warm_up_of_each_start) {
    std::string events = R"({"kind":"run_begin","epoch":0,"step":0,"seconds":0,"text":"","scalars":{}})"
                         "\n";
    for (int step = 1; step <= 40; ++step) {
        if (step == 21) {
            events += R"({"kind":"run_begin","epoch":1,"step":20,"seconds":0,"text":"","scalars":{}})"
                      "\n";
        }
        const bool is_first = step <= 2 || step == 21 || step == 22;
        events += fmt::format(
                      R"({{"kind":"step","epoch":1,"step":{},"seconds":1,"text":"","scalars":{{"step_seconds":{}}}}})",
                      step, is_first ? 9.0 : 1.0) +
                  "\n";
    }
    write("warm/events.jsonl", events);
    std::vector<history::RunRecord> runs;
    runs.emplace_back("warm").update();
    EXPECT_EQ(figures_of({&runs.front()}).at(0).runs.at(0).mean, 1.0);
}

}  // namespace
}  // namespace sluice::compare
