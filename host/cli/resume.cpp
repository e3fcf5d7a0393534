#include <fmt/format.h>

#include "base/error.hpp"
#include "cli/training.hpp"
#include "config/load.hpp"

namespace sluice::cli {

int resume(const Arguments& arguments) {
    namespace po = boost::program_options;
    Common common;
    TrainingRequest request;
    std::string folder;
    std::string checkpoint;
    po::options_description options("options");
    options.add_options()("folder", po::value(&folder)->value_name("FOLDER"), "the run's folder");
    options.add_options()("checkpoint", po::value(&checkpoint)->value_name("FILE"),
                          "go on from this checkpoint (the run's last)");
    add_common(options, common);
    po::variables_map values;
    if (!parse(arguments, "resume", options, values, "folder")) {
        return 0;
    }
    if (folder.empty()) {
        throw Error(Exit::config, "no run folder was given: `host resume runs/deblur-001`");
    }
    request.resume_folder = folder;
    request.resume_checkpoint = checkpoint.empty() ? request.resume_folder / "checkpoints" / "last.safetensors"
                                                   : std::filesystem::path(checkpoint);
    if (!std::filesystem::exists(request.resume_checkpoint)) {
        throw Error(Exit::config,
                    fmt::format("{}: there is no such checkpoint to go on from", request.resume_checkpoint.string()));
    }
    const run::CheckpointInfo info = run::inspect_checkpoint(request.resume_checkpoint);
    request.spec = config::load_pipeline(request.resume_folder / "resolved.toml", common.sets);
    request.spec.name = info.pipeline_name;
    request.progress = info.progress;
    return run_training(request, common);
}

}  // namespace sluice::cli
