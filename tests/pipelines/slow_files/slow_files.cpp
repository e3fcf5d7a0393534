// A preloaded library: files of one process are slow once or always, as on a network. It is never installed.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "noted_sleep.hpp"
#include "preloaded.hpp"

namespace {

using sluice::test::mode_of;
using sluice::test::next;
using sluice::test::path_of;

// SLUICE_TEST_SLOW_SYNC and _OPEN name a part of the path, _PROCESS the rank, and _SECONDS the time; below 0, the
// process is killed. Without _PROCESS, each process is slow. With _INSTEAD nothing is synchronized with the disk, whose
// speed varies. The first _AFTER calls are fast, the next one is slow, and later ones are slow only if _ALWAYS is set.
void wait_if_slow(const char* kind, const char* path) {
    static std::atomic<int> seen{0};
    const char* const part = std::getenv(kind);
    const char* const process = std::getenv("SLUICE_TEST_SLOW_PROCESS");
    const char* const own = std::getenv("OMPI_COMM_WORLD_RANK");
    const char* const after = std::getenv("SLUICE_TEST_SLOW_AFTER");
    const bool is_meant = process == nullptr || (own != nullptr && std::strcmp(process, own) == 0);
    if (part == nullptr || !is_meant || std::strstr(path, part) == nullptr) {
        return;
    }
    const int past = ++seen - (after != nullptr ? std::atoi(after) : 0);
    if (past < 1 || (past > 1 && std::getenv("SLUICE_TEST_SLOW_ALWAYS") == nullptr)) {
        return;
    }
    const double seconds = std::atof(std::getenv("SLUICE_TEST_SLOW_SECONDS"));
    if (seconds < 0) {
        ::kill(::getpid(), SIGKILL);
    }
    sluice::test::sleep_and_note("files", std::chrono::duration<double>(seconds));
}

int open_slowly(const char* name, const char* path, int flags, mode_t mode) {
    wait_if_slow("SLUICE_TEST_SLOW_OPEN", path);
    return next<int(const char*, int, ...)>(name)(path, flags, mode);
}

}  // namespace

extern "C" {

int fsync(int file) {
    if (const std::string path = path_of(file); !path.empty()) {
        wait_if_slow("SLUICE_TEST_SLOW_SYNC", path.c_str());
    }
    if (std::getenv("SLUICE_TEST_SLOW_INSTEAD") != nullptr) {
        return 0;
    }
    return next<int(int)>("fsync")(file);
}

int open(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = mode_of(flags, more);
    va_end(more);
    return open_slowly("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = mode_of(flags, more);
    va_end(more);
    return open_slowly("open64", path, flags, mode);
}

FILE* fopen64(const char* path, const char* mode) {
    wait_if_slow("SLUICE_TEST_SLOW_OPEN", path);
    return next<FILE*(const char*, const char*)>("fopen64")(path, mode);
}

FILE* fopen(const char* path, const char* mode) {
    wait_if_slow("SLUICE_TEST_SLOW_OPEN", path);
    return next<FILE*(const char*, const char*)>("fopen")(path, mode);
}

}  // extern "C"
