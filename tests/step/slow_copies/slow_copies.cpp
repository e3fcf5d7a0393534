// A preloaded library: the device "cpu" makes every SLUICE_TEST_SLOW_COPY_NTH copy of SLUICE_TEST_SLOW_COPY_BYTES bytes
// slowly, in SLUICE_TEST_SLOW_COPY_SECONDS. Other copies are as fast as ever. It is never installed.
#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "noted_sleep.hpp"

namespace {

std::size_t slow_bytes = 0;  // 0: no copy is slow

__attribute__((constructor)) void read_environment() {
    const char* const bytes = std::getenv("SLUICE_TEST_SLOW_COPY_BYTES");
    slow_bytes = bytes != nullptr ? std::strtoul(bytes, nullptr, 10) : 0;
}

bool is_of_cpu_device(const void* caller) {
    Dl_info found{};
    return ::dladdr(caller, &found) != 0 && std::strstr(found.dli_fname, "sluice_reference") != nullptr;
}

void sleep_for_copy() {
    static std::atomic<unsigned long> seen{0};
    const char* const nth = std::getenv("SLUICE_TEST_SLOW_COPY_NTH");
    if (++seen % (nth != nullptr ? std::strtoul(nth, nullptr, 10) : 1) != 0) {
        return;
    }
    const char* const seconds = std::getenv("SLUICE_TEST_SLOW_COPY_SECONDS");
    sluice::test::sleep_and_note("copy", std::chrono::duration<double>(seconds != nullptr ? std::atof(seconds) : 0.0));
}

}  // namespace

extern "C" void* memcpy(void* to, const void* from, std::size_t bytes) {
    if (slow_bytes != 0 && bytes == slow_bytes && is_of_cpu_device(__builtin_return_address(0))) {
        sleep_for_copy();
    }
    return std::memmove(to, from, bytes);
}
