// Reports of breaches. Reads of lent memory after its call are noticed by a signal handler, and found here as breaches.
#pragma once

#include <optional>

#include "call_checks/breach.hpp"

namespace sluice::call_checks {

// Removes and returns the oldest breach that was not taken yet.
std::optional<Breach> take_breach();
// Call this when the process exits. Returns a breach found where no error can be returned, such as in a destructor.
// Returns nothing if throw_breach() has reported a breach before, because later ones may follow from it.
std::optional<Breach> unreported_breach();
// Throws Error with Exit::plugin if the plugin broke the rule, or with exit code 1 if the host did.
[[noreturn]] void throw_breach(const Breach& breach);

}  // namespace sluice::call_checks
