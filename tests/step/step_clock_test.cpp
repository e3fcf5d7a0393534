// The step clock: time that is spent in one stage of the loop appears there, and nowhere else.
#include <cmath>
#include <map>
#include <string>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

// 16 steps of two pairs each. Nothing but a delay takes time.
constexpr const char* kDelays = R"(version = 1
[data]
batch = 2
workers = 0
[data.train]
source = { use = "test_delayed_pairs", count = 16, sleep = READ }
map = [{ use = "test_delayed_copy", sleep = PREPROCESS }]
[model]
input = "blurred"
target = "sharp"
layers = [
  { type = "conv2d", filters = 3, kernel = 1 },
  { type = "test_delay", forward = FORWARD, backward = BACKWARD },
]
[loss]
use = "mean_absolute_error"
[optimizer]
use = "test_delayed"
sleep = OPTIMIZER
[train]
epochs = 2
[observe]
use = [{ use = "metrics", every_steps = 1 }]
)";

using Delays = std::map<std::string, int>;  // milliseconds, by stage

class StepClock : public PipelineTest {
protected:
    // Trains with these delays.
    [[nodiscard]] std::vector<std::map<std::string, double>> train_delayed(const Delays& delays) const {
        std::string text = kDelays;
        for (const char* const name : {"READ", "PREPROCESS", "FORWARD", "BACKWARD", "OPTIMIZER"}) {
            const auto found = delays.find(name);
            text.replace(text.find(name), std::string(name).size(),
                         std::to_string(found == delays.end() ? 0 : found->second));
        }
        write("tiny.toml", text);
        train("run", {"--plugin", SLUICE_TEST_STEP_PLUGINS});
        return steps("run");
    }
    static double total_of(const std::vector<std::map<std::string, double>>& steps, const std::string& scalar) {
        double sum = 0.0;
        for (std::size_t i = 1; i < steps.size(); ++i) {  // the first step also allocates
            sum += steps[i].at(scalar);
        }
        return sum;
    }
};

const std::map<std::string, std::string> kStages{{"READ", "read_seconds"},
                                                 {"PREPROCESS", "preprocess_seconds"},
                                                 {"FORWARD", "forward_seconds"},
                                                 {"BACKWARD", "backward_seconds"},
                                                 {"OPTIMIZER", "optimizer_seconds"}};

// Each delay is 10 ms a step: the source and the transform sleep for both pairs of a batch.
TEST_F(StepClock, a_delay_appears_in_its_stage_and_nowhere_else) {
    for (const auto& [name, scalar] : kStages) {
        SCOPED_TRACE(name);
        const int sleep = name == "READ" || name == "PREPROCESS" ? 5 : 10;
        const auto found = train_delayed({{name, sleep}});
        ASSERT_EQ(found.size(), 16U);
        const double expected = 0.010 * 15;
        EXPECT_GE(total_of(found, scalar), expected);
        EXPECT_LE(total_of(found, scalar), 1.25 * expected);  // sleeping takes longer on a busy machine
        for (const auto& [other_name, other] : kStages) {
            if (other != scalar) {
                EXPECT_LE(total_of(found, other), 0.1 * expected) << other;
            }
        }
        std::filesystem::remove_all(folder() / "run");
    }
}

TEST_F(StepClock, stages_add_up_to_the_step) {
    for (const auto& step : train_delayed({{"READ", 1}, {"FORWARD", 2}, {"OPTIMIZER", 1}})) {
        double sum = 0.0;
        for (const auto& [name, value] : step) {
            const bool is_stage = name.ends_with("_seconds") && name != "step_seconds" && name != "data_seconds";
            sum += is_stage ? value : 0.0;
        }
        EXPECT_NEAR(sum, step.at("step_seconds"), 0.01 * step.at("step_seconds"));
    }
}

TEST_F(StepClock, a_run_ends_with_the_account_of_its_time) {
    write_tiny();
    const std::string log = train().err;
    for (const char* const phase : {"time      start ", "steps ", "evaluation ", "checkpoints "}) {
        EXPECT_NE(log.find(phase), std::string::npos) << log;
    }
}

}  // namespace
}  // namespace sluice::test
