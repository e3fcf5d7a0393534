// Checks at the start that processes of one training agree on program, pipeline and data.
#pragma once

#include <cstdint>

#include "config/spec.hpp"
#include "data/chain/chain.hpp"
#include "plan/toolbox.hpp"
#include "registry/loading/registry.hpp"
#include "registry/optional/processes.hpp"
#include "run/replica/replica.hpp"

namespace sluice::run {

// Throws Disagreement(Exit::config) in all processes if they differ in the program or its plugins, the pipeline, the
// kind of device, or the data, of which some samples are compared. `validation` is null if there is none. Throws
// Error(Exit::config) if several processes were started together, but the strategy trains in one.
void expect_same_training(const config::PipelineSpec& spec, const registry::Registry& registry,
                          const plan::Toolbox& tools, const data::Chain& train, const data::Chain* validation,
                          const registry::Processes& processes);

// Checks the same of what was decided later: the plugins loaded since, the precision policy and the number of
// parameters of `replica`, and the step to resume from.
void expect_same_progress(const registry::Registry& registry, const Replica& replica, std::uint64_t step,
                          const registry::Processes& processes);

}  // namespace sluice::run
