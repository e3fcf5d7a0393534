// Lists what lives in the arena of a plan, and when, for recorded windows.
#pragma once

#include <vector>

#include "plan/plan.hpp"
#include "profile/operation.hpp"

namespace sluice::plan {

// The tensors and gradients in the arena with their lives, counted in launches. Memory that two tensors share is listed
// once, under the first of them.
std::vector<profile::ArenaTensor> list_arena(const Plan& plan);

}  // namespace sluice::plan
