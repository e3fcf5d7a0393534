// One call of a plugin that is checked, from before it until what it has left behind was looked at.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/tight_bytes.hpp"
#include "checked/lent_memory.hpp"
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
    [[nodiscard]] Watch* watch() const { return watch_; }
    [[nodiscard]] Watched* object() const { return object_.get(); }
    [[nodiscard]] Watched* part() const { return part_.get(); }
    // Host services and sinks, on whatever thread they are called.
    void broken(Rule rule, const std::string& seen);

    // ---- before: what each argument stands for, in their order
    void created_by(Watch* watch) { watch_ = watch; }
    // What the plugin knows the pointer by.
    void* enter_object(void* pointer);
    void* enter_part(void* pointer, Handle kind);
    void enter_replica(std::uint32_t replica);
    void expect_handle(void* pointer, Handle kind);
    [[nodiscard]] LentMemory& lent();
    // Memory that the plugin fills: a copy of `theirs`, which gets it back where the call ends well.
    enum class Filled { whole, already };
    void* lend_output(void* theirs, std::size_t element, std::size_t count, Filled filled);
    void* lend_sized(void* theirs);
    // Memory of a sink for a field of a sample; `theirs` may be gone once it is asked for again.
    void* lend_field(std::uint32_t number, void* theirs, const sluice_tensor_spec& spec);
    [[nodiscard]] void** lend_made(void** theirs);
    [[nodiscard]] sluice_error* lend_error(sluice_error* theirs);
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
    static constexpr std::uint8_t kNothing = 0xDB;  // bytes that nobody has written
    static constexpr std::uint64_t kNobody = 0xDBDBDBDBDBDBDBDB;
    static constexpr std::size_t kFence = 64;  // bytes behind an output

    struct Output {
        std::unique_ptr<std::byte[]> ours;
        void* theirs;
        std::size_t element;
        std::size_t count;
        bool is_sized;  // begins with struct_size
        bool is_whole;
    };
    struct SampleField {
        std::uint32_t number;
        void* theirs;
        TightBytes ours;
    };
    Watched* enter(void* pointer, Handle kind, std::shared_ptr<Watched>& found);
    void enter_serial(Serial& serial, const std::string& what);
    void check_order();
    void leave();
    void look_at_process();
    void look_at_outputs(bool is_ok);
    void look_at_fields(bool is_ok);
    void look_at_error(sluice_status status);
    void keep_made(bool is_ok);
    void end_handle();

    const Info& info_;
    Call* outer_;
    Watch* watch_ = nullptr;
    std::shared_ptr<Watched> object_;
    std::shared_ptr<Watched> part_;
    std::vector<Serial*> serials_;
    bool may_go_ = true;  // false: a rule of the host's is broken, and the plugin is better not called
    bool is_broken_ = false;
    std::string first_;  // what was broken first
    std::unique_ptr<LentMemory> lent_;
    std::vector<Output> outputs_;
    std::vector<SampleField> fields_;
    std::vector<std::function<void()>> at_the_end_;
    void** theirs_made_ = nullptr;
    void* made_ = nullptr;
    void* ended_ = nullptr;
    sluice_error* theirs_error_ = nullptr;
    struct {
        sluice_error error;
        std::uint64_t after;
    } error_{};
    std::optional<ProcessState> state_;
};

}  // namespace sluice::registry::checked
