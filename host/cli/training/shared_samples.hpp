// Decides which samples each process of a training makes.
#pragma once

#include "cli/training/training_data.hpp"
#include "config/spec.hpp"
#include "run/train/training_replicas.hpp"

namespace sluice::cli {

// Each process makes only the samples of its own replicas. Training makes all of them if a sample may be replaced,
// mixed with another or have another shape. Validation leaves bad samples out. If shapes vary there, a batch is one
// sample, which every process makes, so all know its shapes.
void share_samples(TrainingData& data, const run::TrainingReplicas& replicas, const config::PipelineSpec& spec);

}  // namespace sluice::cli
