// Runs a training from its pipeline to the closing lines of the log; `train` and `resume` share it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/terminal/options.hpp"
#include "config/spec.hpp"
#include "run/train/trainer.hpp"

namespace sluice::cli {

struct TrainingRequest {
    config::PipelineSpec spec;
    std::filesystem::path pipeline_file;         // copied into a new run's folder
    std::filesystem::path runs = "runs";         // where a new run folder is made
    std::filesystem::path exact_folder;          // exactly this folder for a new run; empty: a new one below `runs`
    std::optional<run::RunFolder> resumed;       // folder of the resumed run, already locked
    std::filesystem::path resume_checkpoint;     // the checkpoint to resume from; empty: a new run
    std::filesystem::path best_checkpoint;       // see run::find_best()
    config::RecordedOrigins recorded;            // origins of the values in the checkpoint's pipeline
    std::string choices;                         // kernel tuning choices of the checkpoint
    run::Progress progress;                      // progress of the checkpoint
    std::optional<config::PipelineSpec> before;  // the checkpoint's pipeline, if --set has changed it
    bool logs_stages = false;                    // --stages
    std::filesystem::path measures;              // --measure; empty: nothing is measured
    bool moves_newer = false;                    // move checkpoints of later steps to checkpoints/left
};

// Returns the exit code. Throws Error; ReportedError if the error was reported already.
int run_training(TrainingRequest request, const Common& common);

}  // namespace sluice::cli
