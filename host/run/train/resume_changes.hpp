// What has changed in the pipeline or its data since a run was stopped, as it resumes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "run/checkpoint/checkpoint.hpp"

namespace sluice::run {

// Fits the position of a run to an epoch of `batches` batches in the order that `order` identifies (see
// Loader::order_fingerprint()). If they have changed, the number of the next batch names another place, and the epoch
// begins anew. Returns what to warn of, if anything.
std::optional<std::string> fit_epoch(Progress& progress, std::uint64_t batches, const std::string& order);

// Takes over the class names of the data; data without names leave the run its own. Returns what to warn of, if
// anything.
std::optional<std::string> fit_class_names(Progress& progress, const data::ClassNames& now);

// Reports what a change of values that count from the beginning of the run does. `next_rate`: of the next step.
std::vector<std::string> describe_changes(const config::PipelineSpec& before, const config::PipelineSpec& now,
                                          const Progress& progress, double next_rate);

}  // namespace sluice::run
