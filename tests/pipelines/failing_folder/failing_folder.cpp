// Preloaded: a folder that cannot be listed once, as one on a network or a failing disk. Never installed.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <string_view>

namespace {

// Whether this opening of a folder whose path holds SLUICE_TEST_FAIL_FOLDER is number SLUICE_TEST_FAIL_NUMBER, from 1.
bool is_to_fail(const char* path) {
    static std::atomic<int> seen{0};
    const char* const folder = std::getenv("SLUICE_TEST_FAIL_FOLDER");
    const char* const number = std::getenv("SLUICE_TEST_FAIL_NUMBER");
    const std::string_view name = path;
    if (folder == nullptr || number == nullptr || name.find(folder) == name.npos) {
        return false;
    }
    return ++seen == std::atoi(number);
}

}  // namespace

extern "C" {

DIR* opendir(const char* path) {
    if (is_to_fail(path)) {
        errno = EIO;
        return nullptr;
    }
    return reinterpret_cast<DIR* (*)(const char*)>(::dlsym(RTLD_NEXT, "opendir"))(path);
}

int openat(int folder, const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    if ((flags & O_DIRECTORY) != 0 && is_to_fail(path)) {
        errno = EIO;
        return -1;
    }
    return reinterpret_cast<int (*)(int, const char*, int, ...)>(::dlsym(RTLD_NEXT, "openat"))(folder, path, flags,
                                                                                               mode);
}

}  // extern "C"
