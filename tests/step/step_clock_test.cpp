// The step clock: time that is spent in one stage of the loop appears there, and nowhere else.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "pipeline_test.hpp"
#include "run/network/step_state.hpp"

namespace sluice::test {
namespace {

constexpr std::size_t kClockSteps = 16;

// 16 steps of two pairs each. Nothing but a delay takes time. A name in capitals is replaced by its delay.
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
  { type = "test_delay", forward = FORWARD, backward = BACKWARD, second = SECOND },
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

// The run waits for another thread only where a test is about that.
const Replacements kHeldObserver{
    {"every_steps = 1 }", "every_steps = 1 }, { use = \"test_delayed_observer\", sleep = OUTPUT, hold = true }"}};

// The same for a device that has no kernels of test_delay and no optimizer of tests.
const Replacements kUsual{
    {"  { type = \"test_delay\", forward = FORWARD, backward = BACKWARD, second = SECOND },\n", ""},
    {"use = \"test_delayed\"\nsleep = OPTIMIZER", "use = \"sgd\"\nrate = 1e-3"}};

constexpr const char* kDelayNames[] = {"READ", "PREPROCESS", "FORWARD", "BACKWARD", "OPTIMIZER", "SECOND", "OUTPUT"};

using Delays = std::map<std::string, int>;  // milliseconds, by name
using Steps = std::vector<std::map<std::string, double>>;

// A step has one delay more in `scalar`, in `sleeps` sleeps of one kind.
struct Injected {
    std::string name;
    std::string scalar;
    std::size_t sleeps;
    bool may_repeat = false;     // replicas measure their speed in the first steps
    bool overlaps = false;       // other work of the step may be done meanwhile
    std::size_t steps_late = 0;  // 1: the loop waits after a step's event, so the next step has the time
};

// Returns a value that a quarter of the values are below. The slower ones may be those of a busy machine.
double usual_of(std::vector<double> values) {
    const auto quarter = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 4);
    std::ranges::nth_element(values, quarter);
    return *quarter;
}

class StepClock : public PipelineTest {
protected:
    // Trains with these delays.
    [[nodiscard]] Steps train_delayed(const Delays& delays, const std::vector<std::string>& more = {},
                                      const Replacements& replacements = {}) {
        std::filesystem::remove_all(folder() / "run");
        std::filesystem::remove(folder() / "delays.txt");
        process_options().environment["SLUICE_TEST_DELAYS"] = "delays.txt";
        write_pipeline("tiny.toml", kDelays, replacements);
        std::string text = read_bytes(folder() / "tiny.toml");
        for (const std::string name : kDelayNames) {
            const auto found = delays.find(name);
            if (const std::size_t place = text.find(name); place != std::string::npos) {
                text.replace(place, name.size(), std::to_string(found == delays.end() ? 0 : found->second));
            }
        }
        write("tiny.toml", text);
        train("run", joined({"--plugin", SLUICE_TEST_STEP_PLUGINS}, more));
        return steps("run");
    }

    // Returns how long each sleep of the last run really took, in order.
    [[nodiscard]] std::vector<double> slept() const {
        std::vector<double> seconds;
        std::ifstream file(folder() / "delays.txt");
        std::string stage;
        for (double time = 0.0; file >> stage >> time;) {
            seconds.push_back(time);
        }
        return seconds;
    }

    // Returns the sleeps of each step after the first, which also allocates.
    [[nodiscard]] std::vector<double> slept_by_step(const Injected& injected) const {
        const std::vector<double> all = slept();
        std::vector<double> seconds(kClockSteps - 1);
        const std::size_t wanted = kClockSteps * injected.sleeps;
        EXPECT_GE(all.size(), wanted);
        EXPECT_TRUE(all.size() == wanted || injected.may_repeat) << all.size();
        for (std::size_t i = 0; i < seconds.size() && all.size() >= wanted; ++i) {
            for (std::size_t sleep = 0; sleep < injected.sleeps; ++sleep) {
                seconds[i] += all[all.size() - wanted + (i + 1 - injected.steps_late) * injected.sleeps + sleep];
            }
        }
        return seconds;
    }

    // Returns the usual value in all steps but the first of a scalar without these seconds.
    static double usual(const Steps& steps, const std::string& scalar, const std::vector<double>& without) {
        std::vector<double> values;
        for (std::size_t i = 1; i < steps.size(); ++i) {
            values.push_back(steps[i].at(scalar) - without[i - 1]);
        }
        return usual_of(values);
    }

    // Each step takes in the stage what it takes there without a delay, and the sleep, within 10 % of the sleep. Each
    // other stage takes no more than that more. Steps in which the machine was busy do not count.
    static void expect_only_in(const Injected& injected, const Steps& plain, const Steps& delayed,
                               const std::vector<double>& sleeps) {
        ASSERT_EQ(plain.size(), kClockSteps);
        ASSERT_EQ(delayed.size(), kClockSteps);
        std::set<std::string> with_sleep{injected.scalar, "step_seconds"};
        if (injected.scalar == "read_seconds" || injected.scalar == "preprocess_seconds") {
            with_sleep.insert("data_seconds");
        }
        const std::vector<double> none(kClockSteps - 1);
        const double tolerance = 0.1 * usual_of(sleeps);
        EXPECT_GE(tolerance, 0.0009);
        std::size_t stages = 0;
        for (const auto& [name, value] : plain[1]) {
            if (!name.ends_with("_seconds")) {
                continue;
            }
            ++stages;
            const double more =
                usual(delayed, name, with_sleep.contains(name) ? sleeps : none) - usual(plain, name, none);
            EXPECT_LE(more, tolerance) << name;
            if (name == injected.scalar || !injected.overlaps) {
                EXPECT_GE(more, -tolerance) << name;
            }
        }
        EXPECT_EQ(stages, 14U);
    }

    // Compares a run with a delay with one without.
    void expect_delay_in(const Injected& injected, const Delays& delays, const std::vector<std::string>& more = {},
                         const Replacements& replacements = {}) {
        SCOPED_TRACE(injected.name);
        const Steps plain = train_delayed({}, more, replacements);
        EXPECT_EQ(slept().size(), 0U);
        const Steps delayed = train_delayed(delays, more, replacements);
        expect_only_in(injected, plain, delayed, slept_by_step(injected));
    }

    void preload(const std::string& library) {
        auto& environment = process_options().environment;
        environment["LD_PRELOAD"] = library;
        if (const char* const options = std::getenv("ASAN_OPTIONS")) {
            environment["ASAN_OPTIONS"] = options + std::string(":verify_asan_link_order=0");
        }
    }

    // Compares a run in which the CPU's device makes every `nth` copy of this many bytes slowly with one in which it
    // does not.
    void expect_slow_copy_in(const Injected& injected, std::size_t bytes, int nth) {
        preload(SLUICE_TEST_SLOW_COPIES);
        auto& environment = process_options().environment;
        const Steps plain = train_delayed({});
        environment["SLUICE_TEST_SLOW_COPY_BYTES"] = std::to_string(bytes);
        environment["SLUICE_TEST_SLOW_COPY_NTH"] = std::to_string(nth);
        environment["SLUICE_TEST_SLOW_COPY_SECONDS"] = std::to_string(0.010 / static_cast<double>(injected.sleeps));
        const Steps delayed = train_delayed({});
        expect_only_in(injected, plain, delayed, slept_by_step(injected));
    }
};

// The source and the transform sleep for both pairs of a batch.
TEST_F(StepClock, a_delay_of_the_input_appears_in_its_stage_and_nowhere_else) {
    expect_delay_in({"read", "read_seconds", 2}, {{"READ", 5}});
    expect_delay_in({"preprocess", "preprocess_seconds", 2}, {{"PREPROCESS", 5}});
}

TEST_F(StepClock, a_delay_of_the_computation_appears_in_its_stage_and_nowhere_else) {
    expect_delay_in({"forward", "forward_seconds", 1}, {{"FORWARD", 10}});
    expect_delay_in({"backward", "backward_seconds", 1}, {{"BACKWARD", 10}});
    expect_delay_in({"optimizer", "optimizer_seconds", 1}, {{"OPTIMIZER", 10}});
}

TEST_F(StepClock, a_delay_of_an_observer_that_is_held_appears_in_output_and_nowhere_else) {
    expect_delay_in({.name = "output", .scalar = "output_seconds", .sleeps = 1, .steps_late = 1}, {{"OUTPUT", 20}}, {},
                    kHeldObserver);
}

// The first replica, whose stages a step reports, waits for the second one.
TEST_F(StepClock, a_delay_of_another_replica_appears_in_exchange_and_nowhere_else) {
    expect_delay_in({"exchange", "exchange_seconds", 1, true}, {{"SECOND", 10}},
                    {"--set", "strategy.use=mirrored", "--set", "strategy.replicas=2"});
}

// A batch has two fields of two pictures.
TEST_F(StepClock, a_slow_copy_of_a_batch_appears_in_upload_and_nowhere_else) {
    expect_slow_copy_in({"upload", "upload_seconds", 2}, std::size_t{2} * 16 * 16 * 3, 1);
}

// The start of a step has as many bytes, and is copied first.
TEST_F(StepClock, a_slow_copy_of_the_result_appears_in_download_and_nowhere_else) {
    expect_slow_copy_in({"download", "download_seconds", 1}, sizeof(run::StepState::Ended), 2);
}

// Checkpoints are saved between steps. A run ends with what all of them took.
TEST_F(StepClock, a_slow_checkpoint_appears_in_checkpoints_and_in_no_step) {
    preload(SLUICE_TEST_SLOW_FILES);
    auto& environment = process_options().environment;
    environment["SLUICE_TEST_SLOW_INSTEAD"] = "1";
    const std::vector<std::string> each_step{"--set", "checkpoint.every=\"1 step\""};
    const Steps plain = train_delayed({}, each_step);
    const auto plain_end = events("run", "run_end");
    environment["SLUICE_TEST_SLOW_SYNC"] = "/checkpoints";
    environment["SLUICE_TEST_SLOW_SECONDS"] = "0.020";
    environment["SLUICE_TEST_SLOW_ALWAYS"] = "1";
    const Steps delayed = train_delayed({}, each_step);
    const auto delayed_end = events("run", "run_end");
    ASSERT_EQ(plain_end.size(), 1U);
    ASSERT_EQ(delayed_end.size(), 1U);
    double all = 0.0;
    for (const double seconds : slept()) {
        all += seconds;
    }
    EXPECT_GE(all, 0.020 * kClockSteps);
    const auto more = [&](const char* name) { return delayed_end.front().at(name) - plain_end.front().at(name); };
    EXPECT_NEAR(more("checkpoints_seconds"), all, 0.1 * all);
    for (const char* const name : {"steps_seconds", "evaluation_seconds", "other_seconds"}) {
        EXPECT_NEAR(more(name), 0.0, 0.1 * all) << name;
    }
    const std::vector<double> none(kClockSteps - 1);
    for (const auto& [name, value] : plain[1]) {
        if (name.ends_with("_seconds")) {
            EXPECT_LE(usual(delayed, name, none) - usual(plain, name, none), 0.001) << name;
        }
    }
}

// An asynchronous device measures its own copies. The emulated one can be slow.
TEST_F(StepClock, a_slow_copy_to_a_device_appears_in_upload_and_nowhere_else) {
    const char* const device = std::getenv("SLUICE_TEST_DEVICE");
    if (device == nullptr) {
        GTEST_SKIP() << "SLUICE_TEST_DEVICE names no device";
    }
    const std::vector<std::string> on_device{"--set", std::string("device.use=") + device};
    const Steps plain = train_delayed({}, on_device, kUsual);
    process_options().environment["SLUICE_EMULATED_CUDA_COPY_US"] = "10000";
    const Steps delayed = train_delayed({}, on_device, kUsual);
    const Injected injected{.name = "upload", .scalar = "upload_seconds", .sleeps = 1, .overlaps = true};
    expect_only_in(injected, plain, delayed, slept_by_step(injected));
}

TEST_F(StepClock, a_slow_copy_of_the_result_of_a_device_appears_in_download_and_nowhere_else) {
    const char* const device = std::getenv("SLUICE_TEST_DEVICE");
    if (device == nullptr) {
        GTEST_SKIP() << "SLUICE_TEST_DEVICE names no device";
    }
    const std::vector<std::string> on_device{"--set", std::string("device.use=") + device};
    const Steps plain = train_delayed({}, on_device, kUsual);
    process_options().environment["SLUICE_EMULATED_CUDA_RESULT_BYTES"] = std::to_string(sizeof(run::StepState::Ended));
    process_options().environment["SLUICE_EMULATED_CUDA_RESULT_US"] = "10000";
    const Steps delayed = train_delayed({}, on_device, kUsual);
    const Injected injected{.name = "download", .scalar = "download_seconds", .sleeps = 1, .overlaps = true};
    expect_only_in(injected, plain, delayed, slept_by_step(injected));
}

// The times of the events come from another clock than the stages. Between the steps of the first epoch is nothing.
TEST_F(StepClock, stages_add_up_to_the_time_that_passes) {
    constexpr std::size_t kOfEpoch = kClockSteps / 2;
    const Steps steps = train_delayed({{"READ", 1}, {"FORWARD", 2}, {"OPTIMIZER", 1}});
    std::vector<double> times;
    const std::string lines = read_bytes(folder() / "run/events.jsonl");
    const std::regex of_step("\"kind\":\"step\",\"epoch\":1,\"step\":[0-9]+,\"seconds\":([0-9.e-]+)");
    for (std::sregex_iterator found(lines.begin(), lines.end(), of_step), end; found != end; ++found) {
        times.push_back(std::stod((*found)[1]));
    }
    ASSERT_EQ(times.size(), kOfEpoch);
    double of_stages = 0.0;
    double other = 0.0;
    for (std::size_t i = 1; i < kOfEpoch; ++i) {
        for (const auto& [name, value] : steps[i]) {
            const bool is_stage = name.ends_with("_seconds") && name != "step_seconds" && name != "data_seconds";
            of_stages += is_stage ? value : 0.0;
        }
        other += steps[i].at("other_seconds");
    }
    const double passed = times.back() - times.front();
    EXPECT_GT(passed, 0.004 * (kOfEpoch - 1));
    EXPECT_NEAR(of_stages, passed, 0.02 * passed);
    EXPECT_LT(other, 0.02 * passed);
}

TEST_F(StepClock, a_run_ends_with_the_account_of_its_time) {
    write_tiny();
    const std::string log = train().err;
    for (const char* const phase : {"time      start ", "steps ", "evaluation ", "checkpoints ", "beside the loop, "}) {
        EXPECT_NE(log.find(phase), std::string::npos) << log;
    }
}

}  // namespace
}  // namespace sluice::test
