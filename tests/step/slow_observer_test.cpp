// An observer that is slower than the run: it loses step events, but the run loses no time.
#include <chrono>
#include <regex>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class SlowObserver : public PipelineTest {
protected:
    // Trains so many tiny steps with the observer `inspector` and these options.
    Finished train_inspected(int steps, const std::string& options) {
        const std::string epochs = std::to_string(steps);
        write_tiny({{"count = 16, size = [32, 32]", "count = 4, size = [8, 8]"},
                    {"every = \"1 epoch\"", "every = \"" + epochs + " epochs\""},
                    {"epochs = 2", "epochs = " + epochs + "\n[evaluate]\nevery = \"" + epochs +
                                       " epochs\"\n[observe]\nuse = [{ use = \"inspector\", " + options + " }]"}});
        return train("run", {"--plugin", SLUICE_TEST_STEP_PLUGINS});
    }
};

// Each of 4000 steps has an event, and at most 1024 events wait. The observer sleeps 3 ms for each that reaches it.
TEST_F(SlowObserver, loses_events_of_steps_and_is_named) {
    const Finished finished = train_inspected(4000, "pause = 3000");
    const std::regex warning("([0-9]+) step events were dropped .* the slowest was 'inspector'");
    std::smatch found;
    ASSERT_TRUE(std::regex_search(finished.err, found, warning)) << finished.err;
    EXPECT_GT(std::stol(found[1]), 0);
    EXPECT_LT(std::stol(found[1]), 4000);
    EXPECT_EQ(metadata_of(checkpoint()).at("step"), "4000");
    const std::regex report(
        "observer 'inspector' takes ([0-9.]+) ms per step, which is .* it runs beside the training");
    ASSERT_TRUE(std::regex_search(finished.err, found, report)) << finished.err;
    EXPECT_GE(std::stod(found[1]), 3.0);
}

// The observer counts the events that it gets. The run takes at least as long as all of its pauses.
TEST_F(SlowObserver, makes_the_run_wait_if_it_is_held) {
    const auto begin = std::chrono::steady_clock::now();
    const Finished finished = train_inspected(400, "pause = 5000, hold = true");
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(400 * 5));
    EXPECT_EQ(finished.err.find("dropped"), std::string::npos) << finished.err;
    EXPECT_EQ(read_bytes(folder() / "steps.txt"), "400");
    const std::regex report(
        "observer 'inspector' takes ([0-9.]+) ms per step, which is [0-9]+ % of a step's time "
        "\\(([0-9.]+) ms\\); the run waits for it, because it has hold = true");
    std::smatch found;
    ASSERT_TRUE(std::regex_search(finished.err, found, report)) << finished.err;
    EXPECT_GE(std::stod(found[1]), 5.0);
    EXPECT_GE(std::stod(found[2]), 5.0);
}

}  // namespace
}  // namespace sluice::test
