#include "call_checks/breach.hpp"

#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <utility>

#include "base/error.hpp"
#include "call_checks/lent_memory.hpp"

namespace sluice::registry::checked {
namespace {

// A rule that the host broke is a defect of Sluice and gets the exit code of unexpected errors.
Exit exit_of(Rule rule) { return text_of(rule).is_hosts ? Exit{1} : Exit::plugin; }

std::mutex breach_guard;
std::atomic<int> code = 0;
std::atomic<bool> has_reported = false;

std::deque<Breach>& untold() {
    static std::deque<Breach> breaches;
    return breaches;
}

}  // namespace

void note(Breach breach) {
    constexpr std::size_t kMost = 100;  // limits memory: a rule may be broken in every call
    const std::lock_guard lock(breach_guard);
    if (code == 0) {
        code = static_cast<int>(exit_of(breach.rule));
    }
    if (untold().size() < kMost) {
        untold().push_back(std::move(breach));
    }
}

std::optional<Breach> take_breach() {
    LentMemory::note_touched();
    const std::lock_guard lock(breach_guard);
    if (untold().empty()) {
        return std::nullopt;
    }
    Breach first = std::move(untold().front());
    untold().pop_front();
    return first;
}

int exit_code() { return code; }

void throw_breach(const Breach& breach) {
    has_reported = true;
    throw Error(exit_of(breach.rule), breach.text);
}

std::optional<Breach> unreported_breach() {
    std::optional<Breach> first = take_breach();
    return has_reported ? std::nullopt : first;
}

}  // namespace sluice::registry::checked
