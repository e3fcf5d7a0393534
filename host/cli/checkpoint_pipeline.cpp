#include "cli/checkpoint_pipeline.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "cli/terminal/command.hpp"
#include "config/load.hpp"

namespace sluice::cli {

config::PipelineSpec pipeline_of(const run::CheckpointInfo& checkpoint, const std::vector<std::string>& sets,
                                 const std::string& other_pipeline) {
    if (!other_pipeline.empty()) {
        return config::load_pipeline(find_pipeline(other_pipeline), sets);
    }
    config::PipelineSpec spec = config::load_pipeline_text(checkpoint.pipeline, checkpoint.file.string(), sets);
    spec.name = checkpoint.pipeline_name;
    return spec;
}

const config::StreamSpec& data_named(const config::PipelineSpec& spec, const std::string& name) {
    if (name == "train") {
        return spec.data.train;
    }
    if (name != "validation") {
        throw Error(Exit::config, fmt::format("--data is '{}'; it is train or validation", name));
    }
    if (!spec.data.validation) {
        throw Error(Exit::config, fmt::format("pipeline '{}' has no [data.validation]", spec.name));
    }
    return *spec.data.validation;
}

}  // namespace sluice::cli
