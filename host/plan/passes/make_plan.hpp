// Makes a plan from a pipeline: builds the graph and runs all passes over it.
#pragma once

#include <span>

#include "plan/plan.hpp"

namespace sluice::plan {

// `fields`: those of the data, [N, ...] each and without -1. `threads`: those of the replica, to measure kernels with.
// If no kernel takes a layer because its tensors are too large, the plan is for smaller, equal micro-batches: the
// largest that kernels take.
Plan make_plan(const config::PipelineSpec& spec, const Toolbox& tools, std::span<const registry::Field> fields,
               Mode mode, const sluice_threads* threads);

}  // namespace sluice::plan
