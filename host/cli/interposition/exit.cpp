// Interposes exit(), quick_exit(), _exit() and _Exit(): plugins and their libraries find these before those of libc.
// A call by a plugin is reported, and the process exits before anything that other threads use is destroyed. libc's
// own exits, such as the one after main(), do not pass through here.
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

#include "base/error.hpp"
#include "registry/loading/crash_report.hpp"

namespace {

using End = void (*)(int status);

// Returns the next definition of that name: libc's, or that of a sanitizer, which reports at exit.
End next(const char* name) { return reinterpret_cast<End>(::dlsym(RTLD_NEXT, name)); }

// Resolved at the start, because a signal handler must not call dlsym().
const End kNextSudden = next("_exit");

[[noreturn]] void exit_at_once(int status) {
    if (kNextSudden != nullptr) {
        kNextSudden(status);
    }
    for (;;) {
        ::syscall(SYS_exit_group, status);
    }
}

[[noreturn]] void end(const char* name, int status, const void* caller) {
    if (const auto code = sluice::registry::report_exit(name, caller)) {
        exit_at_once(static_cast<int>(*code));
    }
    if (const End following = next(name)) {
        following(status);
    }
    exit_at_once(status);
}

[[noreturn]] void exit_at_once(const char* name, int status, const void* caller) {
    const auto code = sluice::registry::report_exit(name, caller);
    exit_at_once(code ? static_cast<int>(*code) : status);
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): these are libc's
extern "C" __attribute__((visibility("default"))) void exit(int status) noexcept {
    end("exit", status, __builtin_return_address(0));
}

extern "C" __attribute__((visibility("default"))) void quick_exit(int status) noexcept {
    end("quick_exit", status, __builtin_return_address(0));
}

extern "C" __attribute__((visibility("default"))) void _exit(int status) {
    exit_at_once("_exit", status, __builtin_return_address(0));
}

extern "C" __attribute__((visibility("default"))) void _Exit(int status) noexcept {
    exit_at_once("_Exit", status, __builtin_return_address(0));
}
// NOLINTEND(bugprone-reserved-identifier)
