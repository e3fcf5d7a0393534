// The rules of the ABI headers that are checked while a plugin is called, with their names in messages.
#pragma once

#include <cstddef>
#include <span>

namespace sluice::call_checks {

enum class Rule {
    // Rules for the host.
    overlap,
    reentry,
    unknown_object,
    ended_object,
    order,
    still_alive,
    threads_elsewhere,
    // Rules for plugins.
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
};

struct RuleText {
    const char* name;         // "calls.overlap"
    bool is_hosts;            // true: a rule for the host, so breaking it is a defect of Sluice
    const char* requirement;  // the rule in one sentence
};
// All rules in the order of Rule.
std::span<const RuleText> rules();
inline const RuleText& text_of(Rule rule) { return rules()[static_cast<std::size_t>(rule)]; }

}  // namespace sluice::call_checks
