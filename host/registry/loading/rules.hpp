// The rules of the headers that are verified while a plugin is called, as messages name them.
#pragma once

#include <span>

namespace sluice::registry {

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

}  // namespace sluice::registry
