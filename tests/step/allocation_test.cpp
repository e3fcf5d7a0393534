// After the first step no code of ours allocates on the step's path; what oneDNN and the OpenMP runtime allocate inside
// their calls is the same in each step.
#include <cmath>
#include <fstream>
#include <iostream>
#include <map>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

using Counts = std::map<std::string, long>;

class Allocation : public PipelineTest {
protected:
    Allocation() {
        surroundings().environment["LD_PRELOAD"] = SLUICE_TEST_ALLOCATION_COUNTER;
        surroundings().environment["SLUICE_ALLOCATIONS"] = "counts.txt";
        // One epoch without evaluations and checkpoints, in which each step has two batches.
        write_tiny(
            {{"count = 16, size = [32, 32]", "count = 1100, size = [32, 32]"},
             {"every = \"1 epoch\"", "every = \"100 epochs\""},
             {"rate = 1e-3", "rate = 1e-3\nclip_norm = 1.0"},
             {"epochs = 2", "epochs = 1\naccumulate = 2\nema = 0.99\n[evaluate]\nevery = \"100 epochs\""},
             {"[data.validation]\nsource = { use = \"dead_leaves\", count = 4, size = [24, 32], split = "
              "\"validation\" }\nmap = [{ use = \"motion_blur\", from = \"sharp\", to = \"blurred\", length = 5, "
              "angle = 0 }]\n",
              ""}});
    }

    // Calls of the training thread, by library, in a run of that many steps.
    Counts count(int steps, const std::vector<std::string>& more) {
        std::filesystem::remove_all(folder() / "run");
        // Kernels that measured when they were planned would have allocated then, in some runs more than in others.
        std::vector<std::string> arguments{"--steps", std::to_string(steps), "--set", "device.measure=false"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        train("run", arguments);
        Counts counts;
        std::ifstream file(folder() / "counts.txt");
        std::string name;
        for (long calls = 0; file >> name >> calls;) {
            counts[name] += calls;
        }
        EXPECT_GT(counts["host"], 0) << "nothing was counted";
        return counts;
    }

    // What `steps` more steps allocate, after as many.
    Counts count_more(int steps, int after, const std::vector<std::string>& more = {}) {
        const Counts fewer = count(after, more);
        Counts difference = count(after + steps, more);
        for (const auto& [name, calls] : fewer) {
            difference[name] -= calls;
        }
        return difference;
    }
};

// Many, because what oneDNN allocates before the first step differs between runs by some twenty calls.
constexpr int kSteps = 60;

long a_step(long calls) { return std::lround(static_cast<double>(calls) / kSteps); }

// Highway measures its clock when it is loaded, as often as it takes.
bool varies_at_start(const std::string& library) { return library.starts_with("libhwy"); }

bool is_theirs(const std::string& library) { return library.starts_with("libdnnl") || library.starts_with("libgomp"); }

TEST_F(Allocation, of_a_step_is_oneDNNs_alone_and_constant) {
    for (const char* kernels : {"[\"onednn\",\"reference\"]", "reference"}) {
        const std::vector<std::string> use{"--set", std::string("device.kernels=") + kernels};
        const Counts first = count_more(kSteps, 5, use);
        const Counts second = count_more(kSteps, 5 + kSteps, use);
        for (const auto& [library, calls] : first) {
            if (varies_at_start(library)) {
                continue;
            }
            if (is_theirs(library)) {
                std::cout << kernels << ": " << library << " allocates " << a_step(calls) << " times a step\n";
                EXPECT_EQ(a_step(calls), a_step(second.at(library))) << library;
            } else {
                EXPECT_EQ(calls, 0) << library;
            }
        }
    }
}

// What is tested above can fail.
TEST_F(Allocation, of_a_plugin_of_ours_is_found) {
    const Counts counts = count_more(10, 5, {"--plugin", SLUICE_TEST_STEP_PLUGINS, "--set", "optimizer.use=greedy"});
    EXPECT_EQ(counts.at("sluice_greedy.so"), 10);
}

}  // namespace
}  // namespace sluice::test
