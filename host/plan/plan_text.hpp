// A plan as text, for people.
#pragma once

#include <string>

#include "plan/memory_need.hpp"
#include "plan/plan.hpp"

namespace sluice::plan {

// One line for each step: path, kernel, output, parameters, FLOPs and bytes of forward, note. Then totals and what the
// passes did.
std::string list_plan(const Plan& plan);

// "2 micro-batches of 256 samples make a batch, because ..."; only for plans of several micro-batches.
std::string micro_batches_text(const Plan& plan);

// One line: the bytes that a run of the plan needs on its device, by purpose.
std::string list_memory(const MemoryNeed& need, const WeightBytes& weights);

}  // namespace sluice::plan
