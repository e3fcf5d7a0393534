// The facts of a training that was watched, from the files that it wrote.
#pragma once

#include "config/spec.hpp"
#include "diagnose/evidence/facts.hpp"
#include "diagnose/trial/laboratory.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::diagnose {

// Throws Error(Exit::data) if the training wrote none of what is needed.
Facts facts_of(const Laboratory::Watched& watched, const config::PipelineSpec& spec,
               const registry::Registry& registry);

}  // namespace sluice::diagnose
