// _exit() and _Exit() of the program, which plugins find before those of libc: one that a plugin calls is told of.
// libc's own ends, as that of exit(), do not come by here.
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

#include "registry/last_words.hpp"

namespace {

using End = void (*)(int status);

// That of libc, or of a sanitizer, which has something to say at the end.
const End kNextEnd = reinterpret_cast<End>(::dlsym(RTLD_NEXT, "_exit"));

[[noreturn]] void end(int status, const void* caller) {
    const int code = sluice::registry::code_of_sudden_exit(status, caller);
    if (kNextEnd != nullptr) {
        kNextEnd(code);
    }
    for (;;) {
        ::syscall(SYS_exit_group, code);
    }
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): these are libc's
extern "C" __attribute__((visibility("default"))) void _exit(int status) { end(status, __builtin_return_address(0)); }

extern "C" __attribute__((visibility("default"))) void _Exit(int status) noexcept {
    end(status, __builtin_return_address(0));
}
// NOLINTEND(bugprone-reserved-identifier)
