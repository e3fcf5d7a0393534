// The rules of the headers that are verified while a plugin is called, and what is said where one is broken.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace sluice::registry::checked {

enum class Rule {
    // The host's own.
    overlap,
    reentry,
    unknown_object,
    ended_object,
    order,
    still_alive,
    threads_elsewhere,
    // A plugin's.
    host_call,
    status,
    no_reason,
    error_text,
    error_unasked,
    struct_size,
    past_the_end,
    unwritten,
    untouched,
    made_twice,
    lent_written,
    lent_kept,
    lent_offset,
    sink_kept,
    sink_thread,
    sink_other,
    team,
    rounding,
    locale,
    signals,
    folder,
    ends,
};

struct RuleText {
    const char* name;  // "calls.overlap"
    bool is_hosts;     // who breaks it is the host
    const char* says;  // one sentence
};
// In the order of the enumeration.
std::span<const RuleText> rules();
inline const RuleText& text_of(Rule rule) { return rules()[static_cast<std::size_t>(rule)]; }

struct Breach {
    Rule rule;
    std::string text;
};

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
