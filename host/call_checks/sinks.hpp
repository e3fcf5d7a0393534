// Sinks for plugins whose calls are checked. Each function checks the calling thread and then calls the host's sink.
#pragma once

#include <thread>

#include "call_checks/checked_call.hpp"
#include "sluice/kind/device_activity.h"
#include "sluice/kind/kernel.h"
#include "sluice/kind/layer.h"
#include "sluice/kind/libraries.h"
#include "sluice/kind/optimizer.h"
#include "sluice/kind/source.h"

namespace sluice::call_checks {

// Lies in lent memory; `impl` of the plugin's sink points to it.
template <class Sink>
struct LentSink {
    const Sink* original;
    CheckedCall* call;
    std::thread::id thread;
    bool is_over;
};

// False if the call must not reach the host's sink.
template <class Sink>
bool may_pass(const LentSink<Sink>& sink) {
    if (sink.is_over) {  // the read of closed memory was already noticed
        return false;
    }
    if (sink.thread != std::this_thread::get_id()) {
        sink.call->broken(Rule::sink_thread, "calls its sink on another thread");
        return false;
    }
    return true;
}

template <auto Member>
struct Relay;

template <class Sink, class R, class... Args, R (*Sink::*Member)(const Sink*, Args...) noexcept>
struct Relay<Member> {
    static R pass(const Sink* sink, Args... args) noexcept {
        const auto& own = *static_cast<const LentSink<Sink>*>(sink->impl);
        if (!may_pass(own)) {
            return R();
        }
        return (own.original->*Member)(own.original, args...);
    }
};

void fill(sluice_field_sink& sink);
void fill(sluice_sample_sink& sink);
void fill(sluice_layer_sink& sink);
void fill(sluice_kernel_sink& sink);
void fill(sluice_optimizer_sink& sink);
void fill(sluice_library_sink& sink);
void fill(sluice_activity_sink& sink);

template <class Sink>
const Sink* lend_sink(CheckedCall& call, const Sink* theirs) {
    auto* const place =
        reinterpret_cast<LentSink<Sink>*>(call.lent().take(sizeof(LentSink<Sink>), alignof(LentSink<Sink>)));
    auto* const ours = new (place) LentSink<Sink>{theirs, &call, std::this_thread::get_id(), false};
    const std::uint64_t words = (theirs->struct_size + 7) / 8;  // may be more than sizeof(Sink)
    auto* const abi = reinterpret_cast<Sink*>(call.lent().copy(reinterpret_cast<const std::uint64_t*>(theirs), words));
    abi->impl = ours;
    fill(*abi);
    call.call_at_end([ours] { ours->is_over = true; });
    return abi;
}

}  // namespace sluice::call_checks
