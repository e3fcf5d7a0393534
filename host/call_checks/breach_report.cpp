#include "call_checks/breach_report.hpp"

#include <atomic>

#include "base/error.hpp"
#include "call_checks/lent_memory.hpp"

namespace sluice::call_checks {
namespace {

std::atomic<bool> has_reported = false;

}  // namespace

std::optional<Breach> take_breach() {
    LentMemory::note_touched();
    return take_noted();
}

std::optional<Breach> unreported_breach() {
    std::optional<Breach> first = take_breach();
    return has_reported ? std::nullopt : first;
}

void throw_breach(const Breach& breach) {
    has_reported = true;
    throw Error(exit_of(breach.rule), breach.text);
}

}  // namespace sluice::call_checks
