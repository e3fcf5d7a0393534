// Devices for the cases of what computes on one.
#pragma once

#include <memory>
#include <string>

#include "check/contract/trial.hpp"
#include "check/numerics/workbench.hpp"

namespace sluice::check {

// The first device of the kind that the component works with. Throws NotShown where there is none.
std::unique_ptr<Workbench> open_bench(Trial& trial);

}  // namespace sluice::check
