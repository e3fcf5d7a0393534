#include "history/growing_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace sluice::history {
namespace {

class OpenFile {
public:
    explicit OpenFile(const std::filesystem::path& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
    ~OpenFile() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    [[nodiscard]] int fd() const { return fd_; }

private:
    int fd_;
};

[[noreturn]] void fail(const std::filesystem::path& path) {
    throw Error(Exit::config, fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
}

// Returns up to `bytes` bytes from `offset` on.
std::string read_at(const OpenFile& file, const std::filesystem::path& path, std::uint64_t offset,
                    std::uint64_t bytes) {
    std::string text(bytes, '\0');
    std::uint64_t done = 0;
    while (done < bytes) {
        const ssize_t got = ::pread(file.fd(), text.data() + done, bytes - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno != EINTR) {
            fail(path);
        }
        if (got == 0) {
            break;
        }
        done += got > 0 ? static_cast<std::uint64_t>(got) : 0;
    }
    text.resize(done);
    return text;
}

}  // namespace

GrowingFile::News GrowingFile::read() {
    const OpenFile file(path_);
    struct stat status {};
    if (file.fd() < 0 && errno == ENOENT) {
        return {.is_new_file = std::exchange(offset_, 0) > 0};
    }
    if (file.fd() < 0 || ::fstat(file.fd(), &status) != 0) {
        fail(path_);
    }
    News news;
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (status.st_ino != inode_ || size < offset_) {
        news.is_new_file = offset_ > 0;
        inode_ = status.st_ino;
        offset_ = 0;
    }
    const std::string text = read_at(file, path_, offset_, size - offset_);
    std::string_view rest = text;
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
        news.lines.emplace_back(rest.substr(0, end));
        rest.remove_prefix(end + 1);
    }
    offset_ += text.size() - rest.size();
    return news;
}

}  // namespace sluice::history
