// A training run from a pipeline to its closing lines: what `train` and `resume` share.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/terminal/command.hpp"
#include "config/spec.hpp"
#include "run/train/trainer.hpp"

namespace sluice::cli {

struct TrainingRequest {
    config::PipelineSpec spec;
    std::filesystem::path pipeline_file;         // copied into a new run's folder
    std::filesystem::path runs = "runs";         // where new folders are made
    std::filesystem::path exact_folder;          // a new run in just this folder
    std::optional<run::RunFolder> resumed;       // or an old one, already locked
    std::filesystem::path resume_checkpoint;     // to go on from
    std::filesystem::path best_checkpoint;       // see run::find_best()
    config::RecordedOrigins recorded;            // of the values of its pipeline
    std::string choices;                         // of that checkpoint's kernels
    run::Progress progress;                      // of that checkpoint
    std::optional<config::PipelineSpec> before;  // its pipeline, if --set has changed some of it
    bool tells_stages = false;                   // --stages
    bool leaves_newer = false;                   // checkpoints of later steps are those of another course
};

int run_training(TrainingRequest request, const Common& common);

}  // namespace sluice::cli
