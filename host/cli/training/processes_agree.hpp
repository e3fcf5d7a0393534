// Checks at the start that processes of one training agree on program, pipeline and data.
#pragma once

#include "cli/training/training_data.hpp"
#include "config/spec.hpp"
#include "plan/toolbox.hpp"
#include "registry/loading/registry.hpp"
#include "registry/optional/processes.hpp"
#include "run/checkpoint/checkpoint.hpp"
#include "run/train/training_replicas.hpp"

namespace sluice::cli {

// Throws ReportedError(Exit::config) if processes differ in the program or its plugins, the pipeline, the kind of
// device, or the data, of which some samples are compared.
void expect_same_training(const config::PipelineSpec& spec, const registry::Registry& registry,
                          const plan::Toolbox& tools, const TrainingData& data, const registry::Processes& processes);

// Checks the same of what was decided later: the plugins loaded since, the precision policy, the number of parameters,
// and the step to resume from.
void expect_same_progress(const registry::Registry& registry, const run::TrainingReplicas& replicas,
                          const run::Progress& progress);

}  // namespace sluice::cli
