// Breaches: rules of the ABI headers that were broken while a plugin was called, kept until they are reported.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "registry/loading/rules.hpp"

namespace sluice::registry::checked {

struct Breach {
    Rule rule;
    std::string text;
};
// A check of one call found this: the rule, and what the function did, as in "writes past the end of sluice_error".
struct Finding {
    Rule rule;
    std::string seen;
};
using Findings = std::vector<Finding>;

// Stores a breach for the whole process. Functions of wrapped tables cannot throw, so a later caller reports it.
void note(Breach breach);
// Removes and returns the oldest breach that was not taken yet.
std::optional<Breach> take_breach();
// Call this when the process exits. Returns a breach found where no error can be returned, such as in a destructor.
// Returns nothing if throw_breach() has reported a breach before, because later ones may follow from it.
std::optional<Breach> unreported_breach();
// Exit code of the process: that of the first breach, taken or not; 0 if there was none.
int exit_code();
// Throws Error with Exit::plugin if the plugin broke the rule, or with exit code 1 if the host did.
[[noreturn]] void throw_breach(const Breach& breach);

}  // namespace sluice::registry::checked
