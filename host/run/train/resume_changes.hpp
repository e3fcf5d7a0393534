// Finds what has changed in the pipeline or its data since a run was stopped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "run/checkpoint/progress.hpp"

namespace sluice::run {

// Fits the position of a run to an epoch of `batches` batches in the order that `order` identifies (see
// Loader::order_fingerprint()). If they have changed, the number of the next batch means another place, so the epoch
// begins anew. Returns a warning, if there is one.
std::optional<std::string> fit_epoch(Progress& progress, std::uint64_t batches, const std::string& order);

// Takes the class names of the data; the run keeps its own if the data have none. Returns a warning, if there is one.
std::optional<std::string> fit_class_names(Progress& progress, const data::ClassNames& now);

// Scores of a changed monitor, metric or validation set cannot be compared with earlier ones, so the best score and the
// plateau of the schedule start over. Returns a warning, if there was a best checkpoint.
std::optional<std::string> reset_changed_best(Progress& progress, const config::PipelineSpec& before,
                                              const config::PipelineSpec& now);

// Describes the effect of changed values that count from the start of the run. `next_rate` is that of the next step.
std::vector<std::string> describe_changes(const config::PipelineSpec& before, const config::PipelineSpec& now,
                                          const Progress& progress, double next_rate);

}  // namespace sluice::run
