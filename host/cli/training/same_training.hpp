// Whether processes that were started together train the same: the first thing that they find out.
#pragma once

#include "cli/training/training_data.hpp"
#include "config/spec.hpp"
#include "plan/toolbox.hpp"
#include "registry/loading/registry.hpp"
#include "registry/objects/processes.hpp"
#include "run/checkpoint/checkpoint.hpp"
#include "run/train/training_replicas.hpp"

namespace sluice::cli {

// Throws Told(Exit::config) where they differ in the program or its plugins, the pipeline, the kind of device or the
// data, of which some samples are compared.
void expect_same_training(const config::PipelineSpec& spec, const registry::Registry& registry,
                          const plan::Toolbox& tools, const TrainingData& data, const registry::Processes& processes);

// The same of what they have come to since: the plugins that were loaded meanwhile, the choices that they have made,
// and the step that they go on from.
void expect_same_course(const registry::Registry& registry, const run::TrainingReplicas& replicas,
                        const run::Progress& progress);

}  // namespace sluice::cli
