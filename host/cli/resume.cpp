#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/process_place.hpp"
#include "base/program_name.hpp"
#include "cli/checkpoint_pipeline.hpp"
#include "cli/training/training.hpp"
#include "run/checkpoint/checkpoint_folder.hpp"
#include "run/train/resume_changes.hpp"

namespace sluice::cli {
namespace {

namespace fs = std::filesystem;

// Suggests the newest other checkpoint of the run instead of a refused one; empty if there is none.
std::string suggest_other_checkpoint(const fs::path& refused) {
    std::vector<fs::path> others = run::numbered_checkpoints(refused.parent_path());
    std::erase(others, refused);
    return others.empty() ? "" : fmt::format("; try --checkpoint {}", others.back().string());
}

run::CheckpointInfo open_checkpoint(const fs::path& file, const fs::path& folder) {
    std::error_code unreadable;  // reading it below reports the reason
    if (!fs::exists(file, unreadable) && !unreadable) {
        throw Error(Exit::config, fmt::format("{}: there is no checkpoint to resume from: {} is missing{}",
                                              folder.string(), file.string(), suggest_other_checkpoint(file)));
    }
    try {
        return run::inspect_checkpoint(file);
    } catch (const Error& error) {
        throw Error(error.exit(), error.what() + suggest_other_checkpoint(file));
    }
}

// Returns the recorded origins of the checkpoint's values; none if the file `resolved` was removed.
config::RecordedOrigins origins_before(const run::CheckpointInfo& info, const fs::path& resolved) {
    std::error_code unreadable;
    return config::recorded_origins(info.file.string(), info.pipeline,
                                    fs::exists(resolved, unreadable) ? read_file(resolved) : "");
}

}  // namespace

int resume(const Arguments& arguments) {
    namespace po = boost::program_options;
    Common common;
    TrainingRequest request;
    std::string folder;
    std::string checkpoint;
    std::string recorded;
    std::string measures;
    po::options_description options("options");
    options.add_options()("folder", po::value(&folder)->value_name("FOLDER"), "the run's folder");
    options.add_options()("checkpoint", po::value(&checkpoint)->value_name("FILE"),
                          "continue from this checkpoint (default: the last); newer ones move to checkpoints/left");
    options.add_options()("stages", po::bool_switch(&request.logs_stages),
                          "log every 10 seconds how busy each stage of the input is");
    options.add_options()("profile", po::value(&recorded)->value_name("STEPS"),
                          "record these steps, such as 20-24, which the command profile shows");
    options.add_options()("measure", po::value(&measures)->value_name("FOLDER"),
                          "write the time of each step and the figures of the input into this folder");
    add_common(options, common);
    po::variables_map values;
    if (!parse(arguments, "resume", options, values, "folder")) {
        return 0;
    }
    if (folder.empty()) {
        throw Error(Exit::config, "no run folder was given: " + typed("resume runs/deblur-001"));
    }
    if (!recorded.empty()) {
        common.sets.push_back(fmt::format("profile.steps=\"{}\"", recorded));
    }
    std::error_code problem;
    const fs::file_status status = fs::status(folder, problem);
    if (!fs::status_known(status)) {
        throw Error(Exit::config, fmt::format("{}: cannot be read: {}", folder, problem.message()));
    }
    if (!fs::exists(status)) {
        throw Error(Exit::config,
                    fmt::format("{}: there is no such run folder{}", folder, removed_folder_text(folder)));
    }
    // The folder is locked before anything is read, since a live run still writes to it. Only the first process locks.
    request.resumed = process_place().rank == 0 ? run::RunFolder::open(folder) : run::RunFolder::join(folder);
    request.resume_checkpoint =
        checkpoint.empty() ? run::find_last(request.resumed->checkpoints()) : fs::path(checkpoint);
    const run::CheckpointInfo info = open_checkpoint(request.resume_checkpoint, folder);
    // Takes the pipeline from the checkpoint, not from resolved.toml: it includes the --set values of earlier resumes.
    request.spec = pipeline_of(info, common.sets, "");
    request.recorded = origins_before(info, request.resumed->path() / "resolved.toml");
    request.choices = info.choices;
    request.measures = measures;
    request.moves_newer = !checkpoint.empty() || request.resume_checkpoint.filename() != run::kLastCheckpoint;
    request.progress = info.progress;
    if (!common.sets.empty()) {
        request.before = pipeline_of(info, {}, "");
        const auto warning = run::reset_changed_best(request.progress, *request.before, request.spec);
        if (warning && process_place().rank == 0) {
            log::warn(*warning);
        }
    }
    request.best_checkpoint =
        run::find_best(request.resumed->checkpoints(), request.resume_checkpoint, request.progress);
    return run_training(std::move(request), common);
}

}  // namespace sluice::cli
