// A plan from what a pipeline says: builds the graph and runs all passes over it.
#pragma once

#include <span>

#include "plan/plan.hpp"

namespace sluice::plan {

// `fields` are those of the data, [N, ...] each and without -1; `threads` those of the replica, to measure kernels
// with. Where no kernel takes a layer because its tensors are too large, the plan is that of the largest equal pieces
// of the batch that kernels take.
Plan make_plan(const config::PipelineSpec& spec, const Toolbox& tools, std::span<const registry::Field> fields,
               Mode mode, const sluice_threads* threads);

}  // namespace sluice::plan
