// A limit of the address space of this process, as `ulimit -v` sets one. Sanitizers need much address space themselves.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace sluice::test {

// Allows `more` bytes beyond those that the process uses by now.
class WithLittleMemory {
public:
    explicit WithLittleMemory(rlim_t more) {
        ::getrlimit(RLIMIT_AS, &before_);
        rlim_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        const rlimit few{.rlim_cur = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + more,
                         .rlim_max = before_.rlim_max};
        ::setrlimit(RLIMIT_AS, &few);
    }
    ~WithLittleMemory() { ::setrlimit(RLIMIT_AS, &before_); }
    WithLittleMemory(const WithLittleMemory&) = delete;
    WithLittleMemory& operator=(const WithLittleMemory&) = delete;

private:
    rlimit before_{};
};

}  // namespace sluice::test
