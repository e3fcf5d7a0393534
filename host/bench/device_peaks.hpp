// The peak rates of a training's device, for the windows that it records.
#pragma once

#include <string>

#include "config/spec.hpp"
#include "run/train/training_replicas.hpp"

namespace sluice::bench {

// Returns a meter that measures at most once, and keeps the result. It logs a warning for what it cannot measure, such
// as for lack of memory. `policy`: the precision policy that was chosen; empty: that of
// `pipeline`.
run::TrainingReplicas::PeakMeter make_peak_meter(const config::PipelineSpec& pipeline, const std::string& policy,
                                                 int threads);

}  // namespace sluice::bench
