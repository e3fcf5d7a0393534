// After the first step, no code of ours allocates during a step, on any of its threads. oneDNN and the OpenMP runtime
// allocate the same in each step.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>

#include "base/machine.hpp"
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

// A Counts has the calls by library, of the training thread and its OpenMP team together. Chance decides which thread
// of the team creates a kernel of oneDNN in the first step.
using Counts = std::map<std::string, long>;
using Words = std::vector<std::string>;

constexpr int kSteps = 20;
constexpr int kBefore = 5;

// The run has no evaluations and no checkpoints before its last step.
constexpr const char* kWhole = R"(
[train]
epochs = 1
[evaluate]
every = "100 epochs"
[checkpoint]
every = "100 epochs"
)";

// The classifier has every usual layer, wide enough that a step gains from a team.
constexpr const char* kClassifier = R"(version = 1
[data]
batch = 16
workers = 1
[data.train]
source = { use = "test_stripes", count = 960 }
[model]
input = "image"
target = "label"
layers = [
  { type = "conv2d", filters = 64, kernel = 3 },
  { type = "batch_norm" },
  { type = "relu" },
  { type = "max_pool" },
  { type = "conv2d", filters = 128, kernel = 3 },
  { type = "batch_norm" },
  { type = "leaky_relu" },
  { type = "average_pool" },
  { type = "flatten" },
  { type = "dense", units = 64 },
  { type = "gelu" },
  { type = "dense", units = 4 },
]
[loss]
use = "softmax_cross_entropy"
[optimizer]
use = "sgd"
rate = 1e-3
)";

// The tests train the small generator, a classifier, and a network that accumulates two batches, clips gradients and
// averages weights.
class Allocation : public PipelineTest {
protected:
    Allocation() {
        process_options().environment["LD_PRELOAD"] = SLUICE_TEST_ALLOCATION_COUNTER;
        process_options().environment["SLUICE_ALLOCATIONS"] = "counts.txt";
    }

    [[nodiscard]] Words generator() const {
        return {"deblur.toml",
                "--set",
                "data.batch=4",
                "--set",
                "data.workers=1",
                "--set",
                "data.train.source.count=240",
                "--set",
                "data.train.source.size=[32, 32]",
                "--set",
                "data.train.map.2.size=[32, 32]",
                "--set",
                "data.validation.source.count=1",
                "--set",
                "train.epochs=1",
                "--set",
                "evaluate.every=\"100 epochs\"",
                "--set",
                "checkpoint.every=\"100 epochs\""};
    }

    [[nodiscard]] Words classifier() const {
        write("classes.toml", std::string(kClassifier) + kWhole);
        return {"classes.toml", "--plugin", SLUICE_TEST_LABELLED_DIR};
    }

    [[nodiscard]] Words accumulating(const char* filters) const {
        write_tiny({{"filters = 6", std::string("filters = ") + filters},
                    {"count = 16, size = [32, 32]", "count = 400, size = [32, 32]"},
                    {"every = \"1 epoch\"", "every = \"100 epochs\""},
                    {"rate = 1e-3", "rate = 1e-3\nclip_norm = 1.0"},
                    {"epochs = 2", "epochs = 1\naccumulate = 2\nema = 0.99\n[evaluate]\nevery = \"100 epochs\""},
                    kWithoutValidation});
        return {"tiny.toml"};
    }

    Counts count(int steps, const Words& pipeline) {
        std::filesystem::remove_all(folder() / "run");
        // Kernel tuning, lines of progress and the autotuner of prefetch are off, because they allocate in some runs
        // more than in others.
        const Finished finished =
            host(joined({"train", "--run-folder", "run", "--steps", std::to_string(steps), "--set",
                         "device.measure=false", "--set", "observe.use=[\"metrics\"]", "--set", "data.prefetch=4"},
                        pipeline));
        expect_success(finished);
        log_ = finished.err;
        Counts counts;
        std::ifstream file(folder() / "counts.txt");
        std::string thread;
        std::string library;
        for (long calls = 0; file >> thread >> library >> calls;) {
            if (thread != "beside") {
                counts[library] += calls;
            }
        }
        EXPECT_GT(counts["host"], 0) << "nothing was counted";
        return counts;
    }

    // Returns the calls of `more` without those of `fewer`.
    static Counts difference(Counts more, const Counts& fewer) {
        for (const auto& [library, calls] : fewer) {
            more[library] -= calls;
        }
        return more;
    }

    static void keep_least(Counts& least, const Counts& counts);
    static std::string wrong_of(const Counts& begun, const Counts& half, const Counts& whole);
    void expect_no_allocations_of_ours(const Words& pipeline);

    // Returns the number of threads that computed in the last run.
    [[nodiscard]] int threads() const {
        const std::string label = "threads ";
        return std::stoi(log_.substr(log_.find(label) + label.size()));
    }

private:
    std::string log_;  // standard error of the last run
};

bool is_theirs(const std::string& library) { return library.starts_with("libdnnl") || library.starts_with("libgomp"); }

// Highway measures its clock when it is loaded, and repeats this as often as it needs.
bool varies_at_start(const std::string& library) { return library.starts_with("libhwy"); }

// Calls outside of the steps may vary with the machine, for example with the length of a text. They only add, so the
// least count is right.
void Allocation::keep_least(Counts& least, const Counts& counts) {
    for (const auto& [library, calls] : counts) {
        const auto [entry, is_new] = least.try_emplace(library, calls);
        entry->second = std::min(entry->second, calls);
    }
}

// Returns an error for each library that breaks the rule in 20 steps or in the 20 after them.
std::string Allocation::wrong_of(const Counts& begun, const Counts& half, const Counts& whole) {
    std::ostringstream wrong;
    const Counts first = difference(half, begun);
    const Counts second = difference(whole, half);
    for (const auto& [library, calls] : first) {
        if (is_theirs(library) && calls != second.at(library)) {
            wrong << library << ": " << calls << ", then " << second.at(library) << "\n";
        }
        if (!is_theirs(library) && !varies_at_start(library) && calls != 0) {
            wrong << library << ": " << calls << "\n";
        }
    }
    return wrong.str();
}

void Allocation::expect_no_allocations_of_ours(const Words& pipeline) {
    constexpr int kTimes = 4;
    count(1, pipeline);  // fills the caches of the user
    Counts begun;
    Counts half;
    Counts whole;
    std::string wrong = "nothing was counted";
    for (int time = 0; time < kTimes && !wrong.empty(); ++time) {
        keep_least(begun, count(kBefore, pipeline));
        keep_least(half, count(kBefore + kSteps, pipeline));
        keep_least(whole, count(kBefore + 2 * kSteps, pipeline));
        wrong = wrong_of(begun, half, whole);
    }
    EXPECT_EQ(wrong, "") << "calls to the allocator in " << kSteps << " steps";
    for (const auto& [library, calls] : difference(half, begun)) {
        if (is_theirs(library)) {
            std::cout << pipeline.front() << ": " << library << " allocates " << static_cast<double>(calls) / kSteps
                      << " times a step\n";
        }
    }
}

using SlowAllocation = Allocation;

TEST_F(SlowAllocation, of_a_step_of_a_generator_on_a_team) {
    expect_no_allocations_of_ours(generator());
    EXPECT_EQ(threads(), usable_cores());
}

TEST_F(Allocation, of_a_step_of_a_classifier) {
    expect_no_allocations_of_ours(classifier());
    EXPECT_EQ(threads(), usable_cores());
}

TEST_F(Allocation, of_a_step_that_accumulates_clips_and_averages) {
    expect_no_allocations_of_ours(accumulating("16"));
    EXPECT_EQ(threads(), usable_cores());
}

TEST_F(Allocation, of_a_step_of_the_reference) {
    Words pipeline = accumulating("6");
    pipeline.insert(pipeline.end(), {"--set", "device.kernels=reference"});
    expect_no_allocations_of_ours(pipeline);
}

// The optimizer of tests notes the calls to the allocator so far in each step. The window has opened before the first
// of these steps, and closes after the last one.
TEST_F(Allocation, of_a_step_inside_a_recorded_window) {
    constexpr std::size_t kFirst = 7;
    constexpr std::size_t kLast = 17;
    process_options().environment["SLUICE_TEST_CALLS"] = "calls.txt";
    Words pipeline = accumulating("6");
    pipeline.insert(pipeline.end(), {"--plugin", SLUICE_TEST_STEP_PLUGINS, "--set", "optimizer.use=test_delayed",
                                     "--set", "train.accumulate=1", "--profile", "6-18"});
    std::vector<long> least(kLast - kFirst, std::numeric_limits<long>::max());
    for (int time = 0; time < 2; ++time) {
        std::filesystem::remove(folder() / "calls.txt");
        count(kSteps, pipeline);
        EXPECT_TRUE(std::filesystem::exists(folder() / "run/profile/steps-000006-000018.json"));
        const auto lines = lines_of(read_bytes(folder() / "calls.txt"));
        ASSERT_EQ(lines.size(), static_cast<std::size_t>(kSteps));
        for (std::size_t i = kFirst; i < kLast; ++i) {
            least[i - kFirst] = std::min(least[i - kFirst], std::stol(lines[i]) - std::stol(lines[i - 1]));
        }
        EXPECT_GT(std::stol(lines.front()), 0) << "nothing was counted";
    }
    EXPECT_EQ(least, std::vector<long>(kLast - kFirst, 0))
        << "calls to the allocator in each step from " << kFirst + 1 << " on";
}

// The tests above can fail, on each thread.
TEST_F(Allocation, of_a_plugin_of_ours_is_found) {
    Words pipeline = generator();
    pipeline.insert(pipeline.end(), {"--plugin", SLUICE_TEST_STEP_PLUGINS, "--set", "optimizer.use=greedy"});
    count(1, pipeline);
    const Counts begun = count(kBefore, pipeline);
    Counts counts = difference(count(kBefore + 10, pipeline), begun);
    EXPECT_EQ(threads(), usable_cores());
    EXPECT_EQ(counts["sluice_greedy.so"], 10 * threads());
}

}  // namespace
}  // namespace sluice::test
