#include "history/run_lock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace sluice::history {
namespace {

// An exclusive lock of the whole file. It belongs to the open file, not to the process, so that two runs in one process
// exclude each other too.
struct flock whole_file() {
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    return lock;
}

}  // namespace

int lock_run(const std::filesystem::path& run) {
    const int fd = ::open((run / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0) {
        return -1;
    }
    struct flock lock = whole_file();
    if (::fcntl(fd, F_OFD_SETLK, &lock) != 0) {
        const int why = errno == EACCES ? EAGAIN : errno;
        ::close(fd);
        errno = why;
        return -1;
    }
    return fd;
}

bool is_alive(const std::filesystem::path& run) {
    const int fd = ::open((run / ".lock").c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) {
        return false;
    }
    struct flock lock = whole_file();
    const bool is_locked = ::fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    ::close(fd);
    return is_locked;
}

}  // namespace sluice::history
