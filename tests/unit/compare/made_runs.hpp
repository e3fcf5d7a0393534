// Folders of runs with made events: stages that vary as on a machine that other work slows down for a while.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "history/run_record.hpp"
#include "unit/folder_test.hpp"

namespace sluice::compare {

struct MadeRun {
    std::uint32_t seed = 1;
    int steps = 300;
    double slower_backward = 1.0;  // factor of the stage's time
    double psnr = 30.0;
    int diverges_at = 1 << 30;  // step from which losses and scores are no numbers
    std::string pipeline = "name = \"made\"\n[data]\nbatch = 4\n";
};

class MadeRuns : public FolderTest {
protected:
    static history::RunRecord make(const std::string& name, const MadeRun& run) {
        std::mt19937 random(run.seed);
        std::normal_distribution<double> normal;
        std::uniform_real_distribution<double> uniform;
        std::string events = line("run_begin", 0, fmt::format(R"("epochs":2,"steps":{0},"batch":4)", run.steps));
        double slow = 0.0;  // what all stages have in common, and what changes slowly
        for (int step = 1; step <= run.steps; ++step) {
            slow = 0.8 * slow + 0.02 * normal(random);
            const double stall = uniform(random) < 0.01 ? 1.5 : 1.0;
            std::map<std::string, double> stages{{"read", 0.0005}, {"forward", 0.004}, {"backward", 0.008}};
            double sum = 0.0;
            for (auto& [stage, seconds] : stages) {
                seconds *=
                    stall * std::exp(slow + 0.02 * normal(random)) * (stage == "backward" ? run.slower_backward : 1.0);
                sum += seconds;
            }
            events +=
                line("step", step,
                     fmt::format(R"("loss":{},"step_seconds":{},"samples":4,"read_seconds":{},"forward_seconds":{},)"
                                 R"("backward_seconds":{},"exchange_seconds":0)",
                                 step < run.diverges_at ? fmt::format("{}", 1.0 + 0.1 * normal(random)) : "null", sum,
                                 stages["read"], stages["forward"], stages["backward"]));
            if (step % 50 == 0) {
                events += line(
                    "evaluation", step,
                    fmt::format(R"("psnr":{},"input_psnr":20)",
                                step < run.diverges_at ? fmt::format("{}", run.psnr + 0.05 * normal(random)) : "null"));
            }
        }
        write(name + "/events.jsonl", events);
        write(name + "/resolved.toml", run.pipeline);
        write(name + "/environment.json", R"({"host_name": "here", "started": "now"})");
        write(name + "/usage.csv", "unix_seconds,resident_bytes,gpu0_memory_bytes\n1,100,7\n2,300,9\n3,200,8\n");
        history::RunRecord record(name);
        record.update();
        return record;
    }

private:
    static std::string line(const std::string& kind, int step, const std::string& scalars) {
        return fmt::format(R"({{"kind":"{}","epoch":1,"step":{},"seconds":{},"text":"","scalars":{{{}}}}})", kind, step,
                           0.02 * step, scalars) +
               "\n";
    }
};

}  // namespace sluice::compare
