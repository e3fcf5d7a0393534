// exit(), quick_exit(), _exit() and _Exit() of the program, which plugins and their libraries find before those of
// libc: where a plugin calls one, that is told of, and the process ends before anything that other threads still use is
// destroyed. libc's own ends, as that of main(), do not come by here.
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

#include "base/error.hpp"
#include "registry/loading/last_words.hpp"

namespace {

using End = void (*)(int status);

// That of libc, or of a sanitizer, which has something to say at the end.
End next(const char* name) { return reinterpret_cast<End>(::dlsym(RTLD_NEXT, name)); }

// Before there may be a need for it in the handler of a signal.
const End kNextSudden = next("_exit");

[[noreturn]] void end_suddenly(int status) {
    if (kNextSudden != nullptr) {
        kNextSudden(status);
    }
    for (;;) {
        ::syscall(SYS_exit_group, status);
    }
}

[[noreturn]] void end(const char* name, int status, const void* caller) {
    if (const auto code = sluice::registry::tell_of_exit(name, caller)) {
        end_suddenly(static_cast<int>(*code));
    }
    if (const End following = next(name)) {
        following(status);
    }
    end_suddenly(status);
}

[[noreturn]] void end_suddenly(const char* name, int status, const void* caller) {
    const auto code = sluice::registry::tell_of_exit(name, caller);
    end_suddenly(code ? static_cast<int>(*code) : status);
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
    end_suddenly("_exit", status, __builtin_return_address(0));
}

extern "C" __attribute__((visibility("default"))) void _Exit(int status) noexcept {
    end_suddenly("_Exit", status, __builtin_return_address(0));
}
// NOLINTEND(bugprone-reserved-identifier)
