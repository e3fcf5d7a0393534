#include "call_checks/checked_call.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <utility>

#include "call_checks/running_function.hpp"

namespace sluice::call_checks {
namespace {

thread_local CheckedCall* innermost = nullptr;

constexpr std::uint64_t kUnwrittenWord = 0xDBDBDBDBDBDBDBDB;  // never a valid pointer
static_assert(sizeof(kUnwrittenWord) == sizeof(void*));

// Some process state costs system calls to read, so it is checked in the first calls and then in one of 64.
bool is_turn() {
    constexpr std::uint64_t kFirst = 200;
    constexpr std::uint64_t kOneOf = 64;
    static std::atomic<std::uint64_t> calls = 0;
    const std::uint64_t now = calls++;
    return now < kFirst || now % kOneOf == 0;
}

// "object 2", for messages; empty if `tracked` is null.
std::string label_of(const TrackedObject* tracked) {
    return tracked == nullptr ? "" : fmt::format("{} {}", to_string(tracked->kind), tracked->number);
}

}  // namespace

CheckedCall::CheckedCall(const FunctionRules& rules) : rules_(rules), outer_(innermost), participants_(rules) {
    innermost = this;
    running_function = rules.name;
}

CheckedCall::~CheckedCall() {
    innermost = outer_;
    running_function = outer_ == nullptr ? kNoFunction : outer_->rules_.name;
}

CheckedCall* CheckedCall::current() { return innermost; }

bool CheckedCall::is_in_supports() {
    for (const CheckedCall* call = innermost; call != nullptr; call = call->outer_) {
        if (call->rules_.is_supports) {
            return true;
        }
    }
    return false;
}

const CalledComponent* CheckedCall::called_component() const {
    return component() == nullptr ? nullptr : &component()->component();
}

void CheckedCall::broken(Rule rule, const std::string& seen) {
    Breach breach = describe_breach(called_component(), rule, rules_.name, label_of(participants_.subject()), seen);
    if (text_of(rule).is_hosts) {
        is_call_safe_ = false;
    }
    if (!broken_) {
        broken_ = breach.text;
        note(std::move(breach));
    }
}

void CheckedCall::report(const Findings& found) {
    for (const Finding& one : found) {
        broken(one.rule, one.seen);
    }
}

void* CheckedCall::enter_object(void* pointer) {
    Findings found;
    void* const real = participants_.enter_object(pointer, found);
    report(found);
    return real;
}

void* CheckedCall::enter_part(void* pointer, Handle kind) {
    Findings found;
    void* const real = participants_.enter_part(pointer, kind, found);
    report(found);
    return real;
}

void CheckedCall::enter_replica(std::uint32_t replica) {
    Findings found;
    participants_.enter_replica(replica, found);
    report(found);
}

void CheckedCall::expect_handle(void* pointer, Handle kind) {
    Findings found;
    participants_.expect_handle(pointer, kind, found);
    report(found);
}

LentMemory& CheckedCall::lent() {
    if (lent_ == nullptr) {
        lent_ = std::make_unique<LentMemory>(called_component(), rules_.name, after_next(rules_));
    }
    return *lent_;
}

void** CheckedCall::lend_made(void** theirs) {
    theirs_made_ = theirs;
    std::memcpy(&made_, &kUnwrittenWord, sizeof(made_));
    return &made_;
}

bool CheckedCall::may_begin() {
    Findings found;
    participants_.check_order(found);
    report(found);
    if (is_call_safe_) {
        if (lent_ != nullptr) {
            lent_->seal();
        }
        state_.emplace(is_turn());
    }
    return is_call_safe_;
}

void CheckedCall::check_process() {
    if (const auto changed = state_->changed()) {
        broken(changed->rule, changed->seen);
    }
    if (lent_ != nullptr && !lent_->is_unchanged_since_seal()) {
        broken(Rule::lent_written, "writes to memory that it may only read");
    }
}

void CheckedCall::check_result(sluice_status status) {
    const bool is_ok = status == SLUICE_OK;
    Findings found;
    error_.check(status, found);
    outputs_.check(is_ok, found);
    report(found);
    if (is_ok && !broken_) {
        outputs_.copy_back();
    }
    check_made(is_ok);
}

void CheckedCall::check_made(bool is_ok) {
    if (theirs_made_ == nullptr) {
        return;
    }
    const bool is_written = std::memcmp(&made_, &kUnwrittenWord, sizeof(made_)) != 0;
    if (!is_ok) {
        if (rules_.makes == Handle::graph && is_written) {
            broken(Rule::untouched, "fails but writes *graph");
        }
        return;
    }
    if (!is_written) {
        broken(Rule::unwritten,
               fmt::format("returns SLUICE_OK but leaves the pointer to its {} unset", to_string(rules_.makes)));
    }
    if (!broken_) {
        Findings found;
        *theirs_made_ = participants_.keep_made(made_, counts, found);
        report(found);
    }
}

// Memory lent to a context stays open for the context's next call, or is released here if this was that call.
void CheckedCall::keep_loan() {
    if (part() == nullptr) {
        return;
    }
    if (rules_.keeps_loan) {
        part()->loan.memory = std::move(lent_);
    } else if (rules_.takes_up_loan) {
        part()->loan.memory.reset();
    }
}

void CheckedCall::end(sluice_status& status) {
    if (is_call_safe_) {
        check_process();
        check_result(status);
        participants_.end_handle();
        if (rules_.does == Mark::described && object() != nullptr) {
            object()->counts = counts;
        }
    }
    for (const auto& one : at_the_end_) {
        one();
    }
    keep_loan();
    if (std::string touched = LentMemory::note_touched(); !touched.empty() && !broken_) {
        broken_ = std::move(touched);
    }
    if (broken_) {
        status = SLUICE_FAILED;
        error_.write(*broken_);
    }
}

}  // namespace sluice::call_checks
