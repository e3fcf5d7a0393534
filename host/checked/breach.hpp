// What is found and reported if a rule of the headers is broken while a plugin is called.
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
// What a check of one call has found: the rule, and what the function does, as in "writes to what it was lent".
struct Finding {
    Rule rule;
    std::string seen;
};
using Findings = std::vector<Finding>;

// A function behind a wrapped table cannot throw: what it finds is kept for the whole process until somebody tells it.
void note(Breach breach);
// The first that nobody has told yet.
std::optional<Breach> take_breach();
// At the end of the process: what was found where nothing can fail, as when an object was destroyed. Nothing where a
// breach was told before, of which others follow.
std::optional<Breach> last_word();
// What the process ends with where any was noted, told or not: that of a plugin's fault, or of a defect; else 0.
int exit_code();
// Throws Error: Exit::plugin where the plugin has broken the rule, 1 where it was the host.
[[noreturn]] void tell(const Breach& breach);

}  // namespace sluice::registry::checked
