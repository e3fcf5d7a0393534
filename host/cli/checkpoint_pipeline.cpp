#include "cli/checkpoint_pipeline.hpp"

#include "cli/terminal/pipeline_file.hpp"
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

}  // namespace sluice::cli
