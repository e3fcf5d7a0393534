// Parts of libraries that are preloaded into the host and wrap functions of libc.
#pragma once

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdarg>
#include <string>

namespace sluice::test {

// Returns libc's own function.
template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

// Returns the third argument of open(), which exists only if a file may be created.
inline mode_t mode_of(int flags, va_list more) {
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
}

// Returns an empty path if it is not known.
inline std::string path_of(int file) {
    std::array<char, 4096> path{};
    const std::string link = "/proc/self/fd/" + std::to_string(file);
    return ::readlink(link.c_str(), path.data(), path.size() - 1) > 0 ? path.data() : "";
}

}  // namespace sluice::test
