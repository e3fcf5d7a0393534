// An observer that is slower than the run: it loses step events, but the run loses no time.
#include <regex>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class SlowObserver : public PipelineTest {};

// Each of 4000 steps has an event, and at most 1024 events wait. The observer sleeps 3 ms for each that reaches it.
TEST_F(SlowObserver, loses_events_of_steps_and_is_named) {
    write_tiny({{"count = 16, size = [32, 32]", "count = 4, size = [8, 8]"},
                {"every = \"1 epoch\"", "every = \"4000 epochs\""},
                {"epochs = 2",
                 "epochs = 4000\n[evaluate]\nevery = \"4000 epochs\"\n[observe]\nuse = [{ use = "
                 "\"inspector\", pause = 3000 }]"}});
    const Finished finished = train("run", {"--plugin", SLUICE_TEST_STEP_PLUGINS});
    const std::regex warning("([0-9]+) step events were dropped .* the slowest was 'inspector'");
    std::smatch found;
    ASSERT_TRUE(std::regex_search(finished.err, found, warning)) << finished.err;
    EXPECT_GT(std::stol(found[1]), 0);
    EXPECT_LT(std::stol(found[1]), 4000);
    EXPECT_EQ(metadata_of(checkpoint()).at("step"), "4000");
}

}  // namespace
}  // namespace sluice::test
