// The lines of the log before the first step: device, threads, data, model, run folder and precision.
#pragma once

#include <cstdint>
#include <filesystem>

#include "cli/training/training_data.hpp"
#include "config/spec.hpp"
#include "run/train/training_replicas.hpp"

namespace sluice::cli {

// Warns if the pipeline sets deterministic = true, which is the default too: the bits depend on the number of replicas.
void warn_of_replica_count(const config::PipelineSpec& spec, std::uint32_t world);

void print_opening(const config::PipelineSpec& spec, const run::TrainingReplicas& replicas, const TrainingData& data,
                   const std::filesystem::path& folder);

}  // namespace sluice::cli
