#include "call_checks/rules.hpp"

#include <array>
#include <cstddef>

namespace sluice::call_checks {
namespace {

constexpr std::array kRules{
    RuleText{"calls.overlap", true, "[serial] and [enqueue]: never two calls at once on one object"},
    RuleText{"calls.reentry", true, "[serial] and [enqueue]: no call on an object from inside another one"},
    RuleText{"objects.unknown", true, "a call gets only objects and handles that the plugin has made"},
    RuleText{"objects.ended", true, "no call on an object runs during or after its destroy function"},
    RuleText{"calls.order", true, "functions are called in the order that the header states, and once if it says so"},
    RuleText{"objects.alive", true, "an object is destroyed after everything that was made from it"},
    RuleText{"threads.elsewhere", true, "threads are NULL on devices other than the CPU"},
    RuleText{"host.calls", false, "host services may be called inside every plugin call except supports()"},
    RuleText{"status.unknown", false, "a status is one of those in abi.h"},
    RuleText{"error.reason", false, "a call that fails gives its reason in sluice_error"},
    RuleText{"error.text", false, "message and file of sluice_error end in NUL"},
    RuleText{"error.unasked", false, "sluice_error is written only when a call fails"},
    RuleText{"structs.size", false, "only the creator of a struct sets its struct_size"},
    RuleText{"outputs.end", false, "a plugin writes only inside the memory that it was given"},
    RuleText{"outputs.unwritten", false, "all outputs are written if a call returns SLUICE_OK"},
    RuleText{"outputs.untouched", false, "*graph is not written if capture_end() fails"},
    RuleText{"objects.twice", false, "a handle is not returned again before it was destroyed"},
    RuleText{"lent.written", false, "memory that is passed as const is only read"},
    RuleText{"lent.kept", false, "pointers are borrowed until the call returns; data that is needed longer is copied"},
    RuleText{"lent.offset", false, "the first element of a tensor lies at data + byte_offset"},
    RuleText{"sinks.kept", false, "a sink is called only until the call that got it returns"},
    RuleText{"sinks.thread", false, "functions of sinks are called on the thread of the call that got the sink"},
    RuleText{"sinks.other", false, "set_length() and set_name() are for sources only"},
    RuleText{"threads.nest", false, "parallel_for() calls neither nest nor overlap"},
    RuleText{"process.rounding", false, "a call leaves the rounding mode and the handling of denormals as they were"},
    RuleText{"process.locale", false, "a call leaves the locale as it was"},
    RuleText{"process.signals", false, "a call leaves signal handlers as they were"},
    RuleText{"process.folder", false, "a call leaves the working folder as it was"},
};
static_assert(kRules.size() == static_cast<std::size_t>(Rule::folder) + 1);

}  // namespace

std::span<const RuleText> rules() { return kRules; }

}  // namespace sluice::call_checks
