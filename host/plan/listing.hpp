// A plan as text, for people.
#pragma once

#include <string>

#include "plan/fits.hpp"
#include "plan/plan.hpp"

namespace sluice::plan {

// One line for each step: path, kernel, output, parameters, FLOPs and bytes of forward, note; then totals, and what the
// passes did.
std::string list_plan(const Plan& plan);

// "2 of 256 samples each make a batch, because ..."; for plans of several pieces.
std::string pieces_text(const Plan& plan);

// One line: the bytes that a run of the plan takes on its device, and what for.
std::string list_memory(const MemoryNeed& need, const WeightBytes& weights);

// "11.4 M", "113.6 G": a number with three or four digits and a metric prefix.
std::string metric_number(double value);
// "812 MiB".
std::string byte_text(double bytes);

}  // namespace sluice::plan
