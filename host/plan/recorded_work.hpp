// The launches of a plan in the form of recorded windows.
#pragma once

#include <cstdint>

#include "plan/plan.hpp"
#include "profile/operation.hpp"

namespace sluice::plan {

// The kind of the spans of launches in this direction.
std::uint32_t span_kind(Direction direction);

// The launches, in execution order.
profile::Operations list_operations(const Plan& plan);

}  // namespace sluice::plan
