// The memory that a replica of a plan needs, as `plan` prints it and as a run's folder keeps it.
#pragma once

#include <cstddef>

#include "config/spec.hpp"
#include "plan/memory_need.hpp"
#include "plan/plan.hpp"
#include "registry/objects/device.hpp"
#include "sluice/kind/strategy.h"

namespace sluice::cli {

struct MemoryForecast {
    plan::WeightBytes weights;
    plan::MemoryNeed need;
};

// `states`: optimizer states of each parameter. Only a plan for training is shared by the replicas of `topology`.
MemoryForecast forecast_memory(const config::PipelineSpec& spec, const registry::Device& device, const plan::Plan& made,
                               std::size_t states, const sluice_topology& topology);

}  // namespace sluice::cli
