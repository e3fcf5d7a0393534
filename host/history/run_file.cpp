#include "history/run_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "base/text/byte_size.hpp"

namespace sluice::history {

RunFile::RunFile(const std::filesystem::path& run, const std::filesystem::path& name) : path_(run / name) {
    if (name.is_absolute()) {
        refuse("it is not below the folder of the run");
    }
    int folder = ::open(run.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (auto part = name.begin(); folder >= 0 && part != name.end(); ++part) {
        const bool is_last = std::next(part) == name.end();
        // A pipe without a writer would block without O_NONBLOCK.
        const int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | (is_last ? O_NONBLOCK : O_DIRECTORY);
        const int opened = *part == ".." ? -1 : ::openat(folder, part->c_str(), flags);
        const int problem = errno;
        ::close(folder);
        errno = problem;
        folder = opened;
    }
    fd_ = folder;
    if (fd_ < 0) {
        if (errno != ENOENT) {
            refuse(errno == ELOOP || errno == ENOTDIR ? "it is, or is in, a symbolic link or no folder"
                                                      : std::strerror(errno));
        }
        return;
    }
    struct stat status {};
    if (::fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(fd_);
        refuse("it is no regular file");
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
    inode_ = status.st_ino;
}

RunFile::~RunFile() {
    if (fd_ >= 0) {
        ::close(fd_);
    }
}

std::string RunFile::read(std::uint64_t offset, std::uint64_t bytes) const {
    std::string text(bytes, '\0');
    std::uint64_t done = 0;
    while (done < bytes) {
        const ssize_t got = ::pread(fd_, text.data() + done, bytes - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno != EINTR) {
            refuse(std::strerror(errno));
        }
        if (got == 0) {
            break;
        }
        done += got > 0 ? static_cast<std::uint64_t>(got) : 0;
    }
    text.resize(done);
    return text;
}

void RunFile::refuse(const std::string& why) const {
    throw Error(Exit::config, fmt::format("{}: cannot be read: {}", path_.string(), why));
}

std::optional<std::string> read_run_file(const std::filesystem::path& run, const std::filesystem::path& name,
                                         std::uint64_t most_bytes) {
    const RunFile file(run, name);
    if (!file.is_there()) {
        return std::nullopt;
    }
    if (file.size() > most_bytes) {
        throw Error(Exit::config,
                    fmt::format("{}: cannot be read: it has {}; at most {} are read here", (run / name).string(),
                                format_size(file.size()), format_size(most_bytes)));
    }
    return file.read(0, file.size());
}

}  // namespace sluice::history
