#include "registry/loading/rules.hpp"

#include <array>
#include <cstddef>

namespace sluice::registry {
namespace {

constexpr std::array kRules{
    RuleText{"calls.overlap", true, "[serial] and [enqueue]: never two calls at once on one object"},
    RuleText{"calls.reentry", true, "[serial] and [enqueue]: no call on an object from inside another one"},
    RuleText{"objects.unknown", true, "a call is given an object that create() or its like has made"},
    RuleText{"objects.ended", true, "no call follows destroy() or its like, and none runs while it is called"},
    RuleText{"calls.order", true, "functions are called in the order of the header, and once where it says so"},
    RuleText{"objects.alive", true, "an object is destroyed after all that was made of it"},
    RuleText{"threads.elsewhere", true, "threads are NULL on devices other than the CPU"},
    RuleText{"host.calls", false, "host services may be called inside every plugin call except supports()"},
    RuleText{"status.unknown", false, "a status is one of those in abi.h"},
    RuleText{"error.reason", false, "a call that fails says why, so that somebody learns whose fault it is"},
    RuleText{"error.text", false, "message and file of sluice_error end in NUL"},
    RuleText{"error.unasked", false, "sluice_error is written only when a call fails"},
    RuleText{"structs.size", false, "struct_size is set by whoever creates a struct, and by nobody else"},
    RuleText{"outputs.end", false, "what is written stays inside the memory that was given for it"},
    RuleText{"outputs.unwritten", false, "all outputs are written where a call returns SLUICE_OK"},
    RuleText{"outputs.untouched", false, "*graph is untouched where capture_end() fails"},
    RuleText{"objects.twice", false, "what is given out is not given out again before it has come back"},
    RuleText{"lent.written", false, "what is lent as const is only read"},
    RuleText{"lent.kept", false, "pointers are borrowed until the call returns; what is kept longer is copied"},
    RuleText{"lent.offset", false, "the first element of a tensor lies at data + byte_offset"},
    RuleText{"sinks.kept", false, "a sink is called until the call that got it returns"},
    RuleText{"sinks.thread", false, "functions of sinks are called on the thread of the call that got the sink"},
    RuleText{"sinks.other", false, "set_length() and set_name() are for sources only"},
    RuleText{"threads.nest", false, "calls of parallel_for do not nest, and never run two at once"},
    RuleText{"process.rounding", false, "a call leaves rounding and the treatment of tiny numbers as they were"},
    RuleText{"process.locale", false, "a call leaves the locale as it was"},
    RuleText{"process.signals", false, "a call leaves signal handlers as they were"},
    RuleText{"process.folder", false, "a call leaves the working folder as it was"},
    RuleText{"process.ends", false, "a call returns: it neither ends the process nor lets an exception out"},
};
static_assert(kRules.size() == static_cast<std::size_t>(Rule::ends) + 1);

}  // namespace

std::span<const RuleText> rules() { return kRules; }

}  // namespace sluice::registry
