// Counts the batches that an asynchronous device holds: they are uploaded while earlier steps still run.
#pragma once

#include <cstddef>

#include "config/spec.hpp"
#include "plan/plan.hpp"

namespace sluice::plan {

// Steps that the host may queue ahead on an asynchronous device, so that it finds the next step when one is done.
inline constexpr std::size_t kStepsAhead = 2;

// Returns the number of batches, or micro-batches of them, that the device holds for all queued steps; 0 if the device
// is not asynchronous.
std::size_t upload_slots(const Plan& plan, const config::PipelineSpec& spec, const registry::Device& device);

}  // namespace sluice::plan
