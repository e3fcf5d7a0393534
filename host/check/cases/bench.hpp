// Devices for the cases of components that compute on one.
#pragma once

#include <memory>
#include <string>

#include "check/contract/trial.hpp"
#include "check/numerics/workbench.hpp"

namespace sluice::check {

// Opens the first device of the kind that the component needs. Throws CaseSkipped if there is none.
std::unique_ptr<Workbench> open_bench(Trial& trial);

}  // namespace sluice::check
