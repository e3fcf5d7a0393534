// A plan in the form of recorded windows: its launches, and what lives in its arena.
#pragma once

#include <vector>

#include "plan/plan.hpp"
#include "profile/operation.hpp"

namespace sluice::plan {

// The kind of the spans of launches in this direction.
std::uint32_t span_kind(Direction direction);

// The launches, in execution order.
profile::Operations list_operations(const Plan& plan);

// The tensors and gradients in the arena with their lives, counted in launches. Memory that two tensors share is listed
// once, under the first of them.
std::vector<profile::ArenaTensor> list_arena(const Plan& plan);

}  // namespace sluice::plan
