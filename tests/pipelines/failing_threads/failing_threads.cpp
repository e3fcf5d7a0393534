// A preloaded library: a process can start SLUICE_TEST_THREADS threads and no more. A forked process continues the
// count.
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "preloaded.hpp"

namespace {

bool may_start() {
    static const char* const most = std::getenv("SLUICE_TEST_THREADS");
    static std::atomic<long> started{0};
    return most == nullptr || ++started <= std::atol(most);
}

}  // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* context) noexcept {
    using StartThread = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    return may_start() ? sluice::test::next<StartThread>("pthread_create")(thread, attributes, start, context) : EAGAIN;
}
