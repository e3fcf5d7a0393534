#include "registry/loading/crash_report.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "base/allocation_failure.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/signals/signal_chain.hpp"
#include "registry/loading/interfaces.hpp"
#include "registry/loading/plugin_code.hpp"

namespace sluice::registry {
namespace {

// A signal handler can reach only static memory.
constinit std::atomic<pid_t> watched = 0;              // the process with the handlers; 0: none yet
constinit std::atomic<bool> is_exit_expected = false;  // expect_exit() was called
constinit std::atomic<bool> is_reported = false;       // a report was written
constinit std::atomic<bool> is_exiting = false;        // exit() was called; a crash from then on is its consequence
constexpr std::array kSignals{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constinit std::array<struct sigaction, kSignals.size()> actions_before{};
std::terminate_handler terminated_before = nullptr;
// The limits of memory when the handlers were installed: later, there may be no memory for the text.
constinit std::array<char, 200> limits_at_start{};

// Builds one line without allocating and cuts it at 1000 bytes.
class Line {
public:
    Line& operator<<(std::string_view text) {
        const std::size_t fits = std::min(text.size(), text_.size() - size_);
        std::memcpy(text_.data() + size_, text.data(), fits);
        size_ += fits;
        return *this;
    }
    [[nodiscard]] std::string_view text() const { return {text_.data(), size_}; }

private:
    std::array<char, 1000> text_{};
    std::size_t size_ = 0;
};

// Reports only once per process: later events, such as the signal of abort(), have the same cause.
void report_call(const PluginCall& call, std::string_view how) {
    if (is_reported.exchange(true)) {
        return;
    }
    const char* const function = name_of(call);
    Line line;
    line << "plugin " << call.plugin->id << " " << call.plugin->version
         << " misbehaves: " << (function == nullptr ? "a call" : function) << (function == nullptr ? "" : "()");
    if (call.component != nullptr) {
        const ComponentManifest& manifest = *call.component->manifest;
        line << " of " << to_string(manifest.kind) << " '" << manifest.provides << "' (" << manifest.id << ")";
    }
    line << " " << how << "; rule " << kEndsRule
         << ": a call returns: it neither terminates the process nor throws an exception";
    log::write_signal_safe(log::Level::error, line.text());
}

// Reports a thread outside of any plugin call. `plugin` owns the code; does nothing if it is empty.
void report_outside(std::string_view plugin, std::string_view how) {
    if (plugin.empty() || is_reported.exchange(true)) {
        return;
    }
    Line line;
    line << "plugin " << plugin << " misbehaves: its code, "
         << (is_exit_expected ? "at the end of the process" : "on a thread of its own or otherwise outside of any call")
         << ", " << how;
    log::write_signal_safe(log::Level::error, line.text());
}

// False in a forked child.
bool is_this_process() { return watched == ::getpid(); }

std::string_view describe(int signal) {
    switch (signal) {
        case SIGSEGV:
            return "crashes: invalid memory access (SIGSEGV)";
        case SIGBUS:
            return "crashes: bus error (SIGBUS)";
        case SIGILL:
            return "crashes: illegal instruction for this CPU (SIGILL)";
        case SIGFPE:
            return "crashes: arithmetic error, such as a division by zero (SIGFPE)";
        default:
            return "terminates the process by abort() (SIGABRT)";
    }
}

void on_signal(int signal, siginfo_t* info, void* context) {
    if (is_exiting && is_watched()) {
        ::_exit(static_cast<int>(Exit::plugin));
    }
    if (plugin_call != nullptr && is_this_process()) {
        report_call(*plugin_call, describe(signal));
    } else if (is_this_process() && info->si_code > 0) {  // caused by this thread, not sent by a process
        report_outside(owner_of_interrupted(context), describe(signal));
    } else if (is_this_process() && signal == SIGABRT && info->si_code == SI_TKILL) {  // sent by abort()
        report_outside(owner_of_frames(), describe(signal));
    }
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        if (kSignals[i] == signal) {
            call_previous_handler(actions_before[i], signal, info, context);
        }
    }
}

// OpenMP runtimes call exit() if they cannot start a thread, whichever plugin call that happens in.
bool is_openmp_runtime(const void* code) {
    Dl_info library{};
    if (::dladdr(code, &library) == 0 || library.dli_fname == nullptr) {
        return false;
    }
    const std::string_view file = library.dli_fname;
    return file.find("libgomp") != std::string_view::npos || file.find("libomp") != std::string_view::npos ||
           file.find("libiomp") != std::string_view::npos;
}

void report_uncaught(const std::bad_alloc& failure) {
    Line line;
    try {
        line << out_of_memory_text(failure);
    } catch (const std::bad_alloc&) {
        line << "out of memory" << limits_at_start.data();
    }
    line << "; this happened in code that cannot return an error, so the process exits";
    log::write_signal_safe(log::Level::error, line.text());
}

// Reports std::bad_alloc that no caller can catch, such as on a thread or in a noexcept function.
void leave_if_out_of_memory() {
    try {
        if (const std::exception_ptr thrown = std::current_exception()) {
            std::rethrow_exception(thrown);
        }
    } catch (const std::bad_alloc& failure) {
        report_uncaught(failure);
        ::_exit(static_cast<int>(Exit::device));
    } catch (...) {
    }
}

[[noreturn]] void on_terminate() {
    const bool is_ours = is_this_process();
    const std::string_view owner = plugin_call == nullptr && is_ours ? owner_of_frames() : std::string_view();
    if (is_ours && (plugin_call != nullptr || !owner.empty())) {
        Line how;
        how << "throws an exception that is not caught";
        try {
            if (const std::exception_ptr thrown = std::current_exception()) {
                std::rethrow_exception(thrown);
            }
        } catch (const std::exception& error) {
            how << ": " << error.what();
        } catch (...) {
        }
        plugin_call != nullptr ? report_call(*plugin_call, how.text()) : report_outside(owner, how.text());
        std::abort();
    }
    if (is_ours) {
        leave_if_out_of_memory();
    }
    terminated_before();
    std::abort();
}

[[noreturn]] void end_within(const PluginCall& call) {
    is_exiting = true;
    report_call(call, "terminates its thread, or the process by exit()");
    ::_exit(static_cast<int>(Exit::plugin));
}

// Thread-local, because exit() destroys the thread's objects first. The process then exits before static objects are
// destroyed that other threads still use.
class ThreadWatch {
public:
    // The handler of a stack overflow needs a stack of its own. Sanitizers already install one.
    ThreadWatch() {
        stack_t there{};
        if (is_watched() && ::sigaltstack(nullptr, &there) == 0 && (there.ss_flags & SS_DISABLE) != 0) {
            const stack_t ours{.ss_sp = stack_.data(), .ss_flags = 0, .ss_size = stack_.size()};
            has_stack_ = ::sigaltstack(&ours, nullptr) == 0;
        }
    }
    ~ThreadWatch() {
        if (plugin_call != nullptr && is_watched()) {
            end_within(*plugin_call);
        }
        if (has_stack_) {
            const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
            ::sigaltstack(&none, nullptr);
        }
        is_thread_watched = false;
    }
    ThreadWatch(const ThreadWatch&) = delete;
    ThreadWatch& operator=(const ThreadWatch&) = delete;

private:
    std::array<std::byte, 1 << 15> stack_{};
    bool has_stack_ = false;
};

void on_exit() {
    if (!is_watched()) {
        return;
    }
    if (plugin_call != nullptr) {
        end_within(*plugin_call);
    }
    is_exiting = true;
    if (!is_reported) {
        log::write_signal_safe(log::Level::error,
                               "exit() was called outside of any plugin call, by a thread of a plugin or of one of its "
                               "libraries; a plugin must not terminate the process");
    }
    ::_exit(static_cast<int>(Exit::plugin));
}

}  // namespace

bool is_watched() { return is_this_process() && !is_exit_expected; }

void install_crash_handlers() {
    watched = ::getpid();
    const std::string limits = memory_limits_text();
    std::memcpy(limits_at_start.data(), limits.data(), std::min(limits.size(), limits_at_start.size() - 1));
    terminated_before = std::set_terminate(on_terminate);
    struct sigaction ours {};
    ours.sa_sigaction = on_signal;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        ::sigaction(kSignals[i], &ours, &actions_before[i]);
    }
    register_exit_handler();
}

void register_exit_handler() {
    if (is_watched()) {
        std::atexit(on_exit);
        std::at_quick_exit(on_exit);
    }
}

void watch_thread() {
    static thread_local const ThreadWatch watch;
    is_thread_watched = true;
}

std::optional<Exit> report_exit(std::string_view function, const void* caller) {
    // `caller` is the return address, so the call instruction lies before it.
    const std::uintptr_t call = reinterpret_cast<std::uintptr_t>(caller) - 1;
    if (is_own_code(call)) {
        return std::nullopt;
    }
    if (!is_this_process()) {
        // The parent process reports it. Destructors might wait for threads that are missing, so they must not run.
        return owner_of_code(call).empty() && is_openmp_runtime(caller) ? std::optional(Exit::device) : std::nullopt;
    }
    if (is_exit_expected) {
        return std::nullopt;
    }
    std::string_view plugin = owner_of_code(call);
    if (plugin.empty() && is_openmp_runtime(caller)) {
        if (!is_reported.exchange(true)) {
            log::write_signal_safe(
                log::Level::error,
                "the OpenMP runtime terminated the process: it lacks threads or memory" + limits_text());
        }
        return Exit::device;
    }
    Line how;
    how << "terminates the process by " << function << "()";
    if (plugin_call != nullptr) {
        report_call(*plugin_call, how.text());
        return Exit::plugin;
    }
    plugin = plugin.empty() ? owner_of_frames() : plugin;
    report_outside(plugin, how.text());
    return plugin.empty() ? std::nullopt : std::optional(Exit::plugin);
}

void expect_exit() { is_exit_expected = true; }

}  // namespace sluice::registry
