// The folder of an offline run, wandb/offline-run-<time>-<id> in the run's folder. A resumed run continues its file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace sluice::observers::wandb {

struct OfflineRun {
    std::string id;
    std::filesystem::path file;  // the .wandb file
    std::uint64_t kept = 0;      // bytes with which the file continues; 0: it begins
    std::int64_t records = 0;    // number of the last record that is kept
    double runtime = 0.0;        // seconds of training that the kept records tell
};

// Finds the folder of the run that `folder` has, or names a new one. first_step: the step that the run resumes from;
// what the file has of later steps is not kept, nor the record of an exit, after which readers stop.
OfflineRun find_offline_run(const std::filesystem::path& folder, std::int64_t first_step, double now);

// Lets wandb/latest-run refer to the run, by which `wandb leet` finds it. Does nothing where links are impossible.
void link_latest(const OfflineRun& run);

}  // namespace sluice::observers::wandb
