// Interposes pthread_create() and fork(): plugins and their libraries find these before those of libc. A thread or a
// process that cannot be started is recorded, so that `host check` blames no plugin for it.
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>

#include "check/isolation/thread_shortage.hpp"

namespace {

using StartThread = int (*)(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* context);
using StartProcess = pid_t (*)();

}  // namespace

// The next definition is libc's, or that of a sanitizer.
extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                                     const pthread_attr_t* attributes,
                                                                     void* (*start)(void*), void* context) noexcept {
    static const auto next_create = reinterpret_cast<StartThread>(::dlsym(RTLD_NEXT, "pthread_create"));
    const int status = next_create(thread, attributes, start, context);
    if (status == EAGAIN) {
        sluice::check::record_thread_shortage();
    }
    return status;
}

extern "C" __attribute__((visibility("default"))) pid_t fork() noexcept {
    static const auto next_fork = reinterpret_cast<StartProcess>(::dlsym(RTLD_NEXT, "fork"));
    const pid_t child = next_fork();
    if (child < 0) {
        const int reason = errno;
        sluice::check::record_thread_shortage();
        errno = reason;
    }
    return child;
}
