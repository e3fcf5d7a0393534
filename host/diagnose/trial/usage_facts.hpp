// Facts of a training about the machine: cores, disk, memory, and the room for caches.
#pragma once

#include "config/spec.hpp"
#include "diagnose/evidence/facts.hpp"
#include "diagnose/trial/laboratory.hpp"

namespace sluice::diagnose {

// Adds what usage.csv of the run has. `facts` has the growth of its caches already.
void add_usage(const Laboratory::Watched& watched, Facts& facts);
// Adds the room for caches. `facts` has the stages of the input, and the memory that is left.
void add_room(const config::PipelineSpec& spec, Facts& facts);

}  // namespace sluice::diagnose
