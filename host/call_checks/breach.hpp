// Breaches: rules of the ABI headers that were broken while a plugin was called. They are stored until
// they are reported (breach_report.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "call_checks/rules.hpp"
#include "registry/manifest/manifest.hpp"

namespace sluice::call_checks {

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

// The component whose function is called.
struct CalledComponent {
    const registry::ComponentManifest* manifest;
    const registry::PluginManifest* plugin;
};

// "plugin test.x 1.0 misbehaves: describe() of transform 'wind' (test.x.wind), object 2, changes ...; rule ...: ...".
// If the host broke the rule, the text begins with "a defect of Sluice". `component` may be null, and `object`, such as
// "object 2", empty.
Breach describe_breach(const CalledComponent* component, Rule rule, const char* function, const std::string& object,
                       const std::string& seen);

// Stores a breach for the whole process. Functions of wrapped tables cannot throw, so a later caller reports it.
void note(Breach breach);
// Removes and returns the oldest stored breach.
std::optional<Breach> take_noted();
// Exit code of the process: that of the first breach, taken or not; 0 if there was none.
int exit_code();
// Exit code of an error that reports a breach of the rule.
Exit exit_of(Rule rule);

}  // namespace sluice::call_checks
