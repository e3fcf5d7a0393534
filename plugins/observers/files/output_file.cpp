// Files that an observer writes.
#include "files/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <sstream>
#include <system_error>
#include <utility>

#include "sluice/sdk/guard.hpp"

namespace sluice::observers {
namespace {

[[noreturn]] void fail(const char* what, const std::filesystem::path& path, int code) {
    throw sdk::Failure(SLUICE_FAILED, std::string("cannot ") + what + " " + path.string() + ": " +
                                          std::generic_category().message(code));
}

// Truncates the file to `end` bytes. If another process made it shorter, sets `end` to its size. Returns errno, or 0.
int go_to_end(int handle, std::uint64_t& end) {
    struct stat there {};
    if (::fstat(handle, &there) != 0) {
        return errno;
    }
    const auto size = static_cast<std::uint64_t>(there.st_size);
    if (size > end && ::ftruncate(handle, static_cast<off_t>(end)) != 0) {
        return errno;
    }
    end = std::min(end, size);
    return 0;
}

// Returns errno, or 0.
int write_at(int handle, std::uint64_t begin, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::pwrite(handle, text.data(), text.size(), static_cast<off_t>(begin));
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        if (written > 0) {
            begin += static_cast<std::uint64_t>(written);
            text.remove_prefix(static_cast<std::size_t>(written));
        }
    }
    return 0;
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)) {}

void OutputFile::replace(std::string_view content) {
    replace_file(path_, content);
    size_ = content.size();
}

void OutputFile::append(std::string_view text) {
    const int handle = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (handle < 0) {
        fail("open", path_, errno);
    }
    std::uint64_t begin = size_;
    int code = go_to_end(handle, begin);
    if (code == 0 && (code = write_at(handle, begin, text)) != 0) {
        static_cast<void>(::ftruncate(handle, static_cast<off_t>(begin)));
    }
    // Some file systems write only in close(), so it can fail too.
    if (::close(handle) != 0 && code == 0) {
        code = errno;
    }
    if (code != 0) {
        fail("write", path_, code);
    }
    size_ = begin + text.size();
}

void replace_file(const std::filesystem::path& path, std::string_view content) {
    const std::filesystem::path part = path.string() + ".part";
    std::FILE* file = std::fopen(part.c_str(), "wb");
    if (file == nullptr) {
        fail("open", part, errno);
    }
    const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
    const int write_error = errno;
    // Closing writes what is still buffered, so it can find the disk full as well.
    const bool closed = std::fclose(file) == 0;
    const int close_error = errno;
    if (!written || !closed) {
        std::remove(part.c_str());
        fail("write", part, written ? close_error : write_error);
    }
    if (std::rename(part.c_str(), path.c_str()) != 0) {
        const int code = errno;
        std::remove(part.c_str());
        fail("replace", path, code);
    }
}

std::string read_file(const std::filesystem::path& path) {
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) {
        if (errno == ENOENT) {
            return {};
        }
        fail("read", path, errno);
    }
    std::string content;
    char block[65536];
    for (std::size_t got = 0; (got = std::fread(block, 1, sizeof(block), file)) > 0;) {
        content.append(block, got);
    }
    const bool failed = std::ferror(file) != 0;
    const int code = errno;
    std::fclose(file);
    if (failed) {
        fail("read", path, code);
    }
    return content;
}

void make_folders(const std::filesystem::path& top, const std::filesystem::path& folder) {
    std::filesystem::path made = top;
    for (const std::filesystem::path& part : folder.lexically_relative(top)) {
        made /= part;
        if (::mkdir(made.c_str(), 0777) != 0 && errno != EEXIST) {
            fail("create folder", made, errno);
        }
    }
}

std::vector<std::string> whole_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line) && !stream.eof();) {
        lines.push_back(line);
    }
    return lines;
}

}  // namespace sluice::observers
