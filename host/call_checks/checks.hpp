// The checks of plugin calls against the rules of the ABI headers. Pass kChecks to a Registry to enable them.
#pragma once

#include "registry/loading/call_check.hpp"

namespace sluice::call_checks {

extern const registry::CallChecks kChecks;

}  // namespace sluice::call_checks
