// One checked call of a plugin: prepares the arguments before the call and checks the results after it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "call_checks/breach.hpp"
#include "call_checks/checked_component.hpp"
#include "call_checks/lent_error.hpp"
#include "call_checks/lent_memory.hpp"
#include "call_checks/output_memory.hpp"
#include "call_checks/participants.hpp"
#include "call_checks/process_state.hpp"
#include "sluice/tensor.h"

namespace sluice::call_checks {

class CheckedCall {
public:
    explicit CheckedCall(const FunctionRules& rules);
    ~CheckedCall();
    CheckedCall(const CheckedCall&) = delete;
    CheckedCall& operator=(const CheckedCall&) = delete;
    // The innermost call on this thread; null outside of any call.
    static CheckedCall* current();
    // True if this thread is inside a call of supports().
    static bool is_in_supports();

    [[nodiscard]] const FunctionRules& rules() const { return rules_; }
    [[nodiscard]] CheckedComponent* component() const { return participants_.component(); }
    [[nodiscard]] TrackedObject* object() const { return participants_.object(); }
    [[nodiscard]] TrackedObject* part() const { return participants_.part(); }
    // Records that a rule was broken. Host services and sinks call this from any thread.
    void broken(Rule rule, const std::string& seen);

    // ---- before the call: one function per argument, called in argument order
    void created_by(CheckedComponent* component) { participants_.created_by(component); }
    // Both return the plugin's own pointer for the one that the host holds.
    void* enter_object(void* pointer);
    void* enter_part(void* pointer, Handle kind);
    void enter_replica(std::uint32_t replica);
    void expect_handle(void* pointer, Handle kind);
    [[nodiscard]] LentMemory& lent();
    // Memory that the plugin fills. The host gets its contents only if the call succeeds.
    [[nodiscard]] OutputMemory& outputs() { return outputs_; }
    [[nodiscard]] void** lend_made(void** theirs);
    [[nodiscard]] sluice_error* lend_error(sluice_error* theirs) { return error_.lend(theirs); }
    // Adds a function to run when the call has returned. Objects in lent memory use it to learn that the call is over.
    void call_at_end(std::function<void()> what) { at_the_end_.push_back(std::move(what)); }
    // True if the plugin may be called. The caller must then call the plugin at once.
    [[nodiscard]] bool may_begin();

    // ---- after
    void end(sluice_status& status);  // sets SLUICE_FAILED if a rule was broken
    // Numbers of tensors in the launches of the kernel or optimizer that this call plans or describes.
    TrackedObject::Counts counts;
    std::atomic<int> teams = 0;  // running parallel_for() calls

private:
    [[nodiscard]] const CalledComponent* called_component() const;  // null if the component is unknown
    void report(const Findings& found);
    void check_result(sluice_status status);
    void check_process();
    void check_made(bool is_ok);
    void keep_loan();

    const FunctionRules& rules_;
    CheckedCall* outer_;
    bool is_call_safe_ = true;           // false: the host broke a rule, so calling the plugin is not safe
    std::optional<std::string> broken_;  // message of the first broken rule
    std::unique_ptr<LentMemory> lent_;
    OutputMemory outputs_;
    LentError error_;
    void** theirs_made_ = nullptr;
    void* made_ = nullptr;
    std::vector<std::function<void()>> at_the_end_;
    std::optional<ProcessState> state_;
    Participants participants_;  // declared last: destroyed before lent_ closes its memory
};

}  // namespace sluice::call_checks
