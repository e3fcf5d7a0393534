// Checks the calls of plugins against the rules of the headers: what a registry is given to do so.
#pragma once

#include "registry/loading/call_check.hpp"

namespace sluice::registry::checked {

extern const CallChecks kChecks;

}  // namespace sluice::registry::checked
