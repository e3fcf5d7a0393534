// A preloaded library: one system call, or several in a row, fail or terminate the process, as with a full disk or a
// power cut.
//
// SLUICE_TEST_FAULT="CALL FIRST COUNT HOW PART" selects COUNT calls, beginning with number FIRST; the first call has
// number 1. Only calls to files whose path contains PART count (empty: all paths). CALL is open (for writing), read
// (open for reading), list (open a folder), write, fsync, ftruncate, rename, link, unlink or mkdir. HOW is an errno,
// "kill" (the process is killed before the call) or "after" (it is killed after the call). SLUICE_TEST_FAULT_COUNT
// names a file that gets the number of calls with CALL and PART when the process exits.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include "preloaded.hpp"

namespace {

using sluice::test::mode_of;
using sluice::test::next;
using sluice::test::path_of;

struct Fault {
    std::string call;
    long first = 0;
    long count = 0;
    std::string how;
    std::string part;
    std::atomic<long> seen{0};
    std::string count_file;
};

// The object is never destroyed, because files are written until the process exits.
Fault& fault() {
    static Fault* const only = [] {
        auto* const made = new Fault;
        const char* const text = std::getenv("SLUICE_TEST_FAULT");
        std::istringstream words(text != nullptr ? text : "");
        words >> made->call >> made->first >> made->count >> made->how >> made->part;
        const char* const file = std::getenv("SLUICE_TEST_FAULT_COUNT");
        made->count_file = file != nullptr ? file : "";
        return made;
    }();
    return *only;
}

void die() { ::kill(::getpid(), SIGKILL); }

// Wraps one call: the process is killed before or after it, or the call fails.
class Call {
public:
    Call(const char* name, const std::string& path) {
        Fault& known = fault();
        if (known.call != name || path.find(known.part) == std::string::npos) {
            return;
        }
        const long number = ++known.seen;
        is_faulty_ = number >= known.first && number < known.first + known.count;
        if (is_faulty_ && known.how == "kill") {
            die();
        }
    }
    ~Call() {
        if (is_faulty_ && fault().how == "after") {
            die();
        }
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    [[nodiscard]] bool fails() const {
        if (!is_faulty_ || fault().how == "after") {
            return false;
        }
        errno = std::atoi(fault().how.c_str());
        return true;
    }

private:
    bool is_faulty_ = false;
};

bool is_standard(int file) { return file >= 0 && file <= STDERR_FILENO; }

int open_with(const char* name, const char* path, int flags, mode_t mode) {
    const Call call((flags & O_ACCMODE) == O_RDONLY ? "read" : "open", path);
    return call.fails() ? -1 : next<int(const char*, int, ...)>(name)(path, flags, mode);
}

std::FILE* fopen_with(const char* name, const char* path, const char* mode) {
    const Call call(*mode == 'r' ? "read" : "open", path);
    return call.fails() ? nullptr : next<std::FILE*(const char*, const char*)>(name)(path, mode);
}

__attribute__((destructor)) void write_count() {
    if (!fault().count_file.empty()) {
        const int file =
            next<int(const char*, int, ...)>("open")(fault().count_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        const std::string text = std::to_string(fault().seen.load());
        [[maybe_unused]] const auto written =
            next<ssize_t(int, const void*, std::size_t)>("write")(file, text.data(), text.size());
        next<int(int)>("close")(file);
    }
}

}  // namespace

extern "C" {

ssize_t write(int file, const void* bytes, std::size_t size) {
    const auto real = next<ssize_t(int, const void*, std::size_t)>("write");
    if (is_standard(file)) {
        return real(file, bytes, size);
    }
    const Call call("write", path_of(file));
    return call.fails() ? -1 : real(file, bytes, size);
}

ssize_t pwrite(int file, const void* bytes, std::size_t size, off_t at) {
    const Call call("write", path_of(file));
    return call.fails() ? -1 : next<ssize_t(int, const void*, std::size_t, off_t)>("pwrite")(file, bytes, size, at);
}

ssize_t pwrite64(int file, const void* bytes, std::size_t size, off64_t at) {
    const Call call("write", path_of(file));
    return call.fails() ? -1 : next<ssize_t(int, const void*, std::size_t, off64_t)>("pwrite64")(file, bytes, size, at);
}

std::size_t fwrite(const void* bytes, std::size_t size, std::size_t count, std::FILE* file) {
    const auto real = next<std::size_t(const void*, std::size_t, std::size_t, std::FILE*)>("fwrite");
    if (is_standard(::fileno(file))) {
        return real(bytes, size, count, file);
    }
    const Call call("write", path_of(::fileno(file)));
    return call.fails() ? 0 : real(bytes, size, count, file);
}

int fsync(int file) {
    const Call call("fsync", path_of(file));
    return call.fails() ? -1 : next<int(int)>("fsync")(file);
}

int ftruncate(int file, off_t size) {
    const Call call("ftruncate", path_of(file));
    return call.fails() ? -1 : next<int(int, off_t)>("ftruncate")(file, size);
}

int ftruncate64(int file, off64_t size) {
    const Call call("ftruncate", path_of(file));
    return call.fails() ? -1 : next<int(int, off64_t)>("ftruncate64")(file, size);
}

int rename(const char* from, const char* to) {
    const Call call("rename", to);
    return call.fails() ? -1 : next<int(const char*, const char*)>("rename")(from, to);
}

int link(const char* from, const char* to) {
    const Call call("link", to);
    return call.fails() ? -1 : next<int(const char*, const char*)>("link")(from, to);
}

int unlink(const char* path) {
    const Call call("unlink", path);
    return call.fails() ? -1 : next<int(const char*)>("unlink")(path);
}

int remove(const char* path) {
    const Call call("unlink", path);
    return call.fails() ? -1 : next<int(const char*)>("remove")(path);
}

int mkdir(const char* path, mode_t mode) {
    const Call call("mkdir", path);
    return call.fails() ? -1 : next<int(const char*, mode_t)>("mkdir")(path, mode);
}

DIR* opendir(const char* path) {
    const Call call("list", path);
    return call.fails() ? nullptr : next<DIR*(const char*)>("opendir")(path);
}

int openat(int folder, const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = mode_of(flags, more);
    va_end(more);
    const Call call((flags & O_DIRECTORY) != 0 ? "list" : "", path);
    return call.fails() ? -1 : next<int(int, const char*, int, ...)>("openat")(folder, path, flags, mode);
}

int open(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = mode_of(flags, more);
    va_end(more);
    return open_with("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = mode_of(flags, more);
    va_end(more);
    return open_with("open64", path, flags, mode);
}

std::FILE* fopen(const char* path, const char* mode) { return fopen_with("fopen", path, mode); }

std::FILE* fopen64(const char* path, const char* mode) { return fopen_with("fopen64", path, mode); }

}  // extern "C"
