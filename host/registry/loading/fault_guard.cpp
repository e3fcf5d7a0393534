#include "registry/loading/fault_guard.hpp"

#include <csetjmp>
#include <csignal>
#include <cstdint>

#include "base/signals/signal_chain.hpp"
#include "registry/loading/plugin_call.hpp"

namespace sluice::registry {
namespace {

// A signal handler can reach only static memory.
thread_local sigjmp_buf* innermost = nullptr;  // where this thread entered its innermost guarded body
struct sigaction sigbus_action_before {};      // the action that on_bus_error replaced

// True if this thread's own memory access caused the signal; false if a process sent it.
bool is_fault(const siginfo_t& info) { return info.si_code == BUS_ADRERR || info.si_code == BUS_MCEERR_AR; }

void on_bus_error(int signal, siginfo_t* info, void* context) {
    if (innermost != nullptr && is_fault(*info)) {
        ::siglongjmp(*innermost, 1);
    }
    call_previous_handler(sigbus_action_before, signal, info, context);
}

bool install() {
    struct sigaction ours {};
    ours.sa_sigaction = on_bus_error;
    // The handler jumps out without restoring the signal mask, so SA_NODEFER keeps the mask unchanged.
    ours.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    return ::sigaction(SIGBUS, &ours, &sigbus_action_before) == 0;
}

std::uint32_t run(const sluice_host*, void (*body)(void* context) noexcept, void* context) noexcept {
    sigjmp_buf entered;
    sigjmp_buf* const outer = innermost;
    const auto* const call = plugin_call;  // the jump skips calls that would restore it
    const bool left = sigsetjmp(entered, 0) != 0;
    if (!left) {
        innermost = &entered;
        body(context);
    }
    innermost = outer;
    plugin_call = call;
    return left ? 0 : 1;
}

}  // namespace

const sluice_fault_guard* fault_guard() {
    static constexpr sluice_fault_guard kGuard = {run};
    static const bool is_installed = install();
    return is_installed ? &kGuard : nullptr;
}

}  // namespace sluice::registry
