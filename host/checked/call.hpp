// One call of a plugin that is checked, from before it until what it has left behind was looked at.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checked/lent_error.hpp"
#include "checked/lent_memory.hpp"
#include "checked/output_memory.hpp"
#include "checked/participants.hpp"
#include "checked/process_state.hpp"
#include "checked/watch.hpp"
#include "sluice/tensor.h"

namespace sluice::registry::checked {

class Call {
public:
    explicit Call(const Info& info);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    // The innermost of the calling thread; null outside of all.
    static Call* current();
    // Whether one of the calls of the calling thread is of supports().
    static bool is_in_supports();

    [[nodiscard]] const Info& info() const { return info_; }
    [[nodiscard]] Watch* watch() const { return participants_.watch(); }
    [[nodiscard]] Watched* object() const { return participants_.object(); }
    [[nodiscard]] Watched* part() const { return participants_.part(); }
    // Host services and sinks, on whatever thread they are called.
    void broken(Rule rule, const std::string& seen);

    // ---- before: what each argument stands for, in their order
    void created_by(Watch* watch) { participants_.created_by(watch); }
    // What the plugin knows the pointer by.
    void* enter_object(void* pointer);
    void* enter_part(void* pointer, Handle kind);
    void enter_replica(std::uint32_t replica);
    void expect_handle(void* pointer, Handle kind);
    [[nodiscard]] LentMemory& lent();
    // What the plugin fills. The host gets it if the call ends well.
    [[nodiscard]] OutputMemory& outputs() { return outputs_; }
    [[nodiscard]] void** lend_made(void** theirs);
    [[nodiscard]] sluice_error* lend_error(sluice_error* theirs) { return error_.lend(theirs); }
    // What lies in lent memory and has to know that the call is over.
    void at_the_end(std::function<void()> what) { at_the_end_.push_back(std::move(what)); }
    // Whether the plugin is called; then the next thing is that it is.
    [[nodiscard]] bool may_begin();

    // ---- after
    void end(sluice_status& status);  // becomes SLUICE_FAILED where a rule was broken
    // What launches of a kernel, or of an optimizer, will have.
    Watched::Counts counts;
    std::atomic<int> teams = 0;  // parallel_for that runs

private:
    void report(const Findings& found);
    void check_result(sluice_status status);
    void check_process();
    void check_made(bool is_ok);
    void keep_loan();

    const Info& info_;
    Call* outer_;
    bool may_go_ = true;                 // false: a rule of the host's is broken, and the plugin is better not called
    std::optional<std::string> broken_;  // what was broken first
    std::unique_ptr<LentMemory> lent_;
    OutputMemory outputs_;
    LentError error_;
    void** theirs_made_ = nullptr;
    void* made_ = nullptr;
    std::vector<std::function<void()>> at_the_end_;
    std::optional<ProcessState> state_;
    Participants participants_;  // last: they are left before what was lent is closed
};

}  // namespace sluice::registry::checked
