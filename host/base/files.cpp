#include "base/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "base/error.hpp"

namespace sluice {
namespace {

// Makes a rename in `folder` durable.
void flush_folder(const std::filesystem::path& folder) {
    const int handle = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle >= 0) {
        ::fsync(handle);
        ::close(handle);
    }
}

// True if no other writer has the file at `path` open. A killed process releases its lock, so its leftover file is
// overwritten. On a file system without locks, the first name is used.
bool is_sole_writer(int handle, const std::filesystem::path& path) {
    if (::flock(handle, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return false;
    }
    struct stat own {};
    struct stat there {};
    // Retries once, because a transient error would leave an unused file under this name.
    const auto are_known = [&] { return ::fstat(handle, &own) == 0 && ::stat(path.c_str(), &there) == 0; };
    return (are_known() || are_known()) && own.st_ino == there.st_ino;
}

// Returns the name of a temporary file next to `path`. A name close to NAME_MAX is cut to make room for the suffix.
std::filesystem::path temporary_name(const std::filesystem::path& path, int number) {
    const std::string suffix = fmt::format("{}.writing", number == 0 ? "" : "." + std::to_string(number));
    const std::string name = path.filename().string();
    return path.parent_path() / (name.substr(0, NAME_MAX - suffix.size()) + suffix);
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const int problem = errno;  // of the open above
    std::error_code unused;
    const bool is_folder = std::filesystem::is_directory(path, unused);
    if (!file || is_folder) {
        const char* reason = is_folder ? "it is a folder" : std::strerror(problem);
        throw Error(Exit::config,
                    fmt::format("{}: cannot read: {}{}", path.string(), reason, removed_folder_text(path)));
    }
    std::string text(static_cast<std::size_t>(file.tellg()), '\0');
    file.seekg(0);
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    return text;
}

WholeFile::WholeFile(std::filesystem::path path) : path_(std::move(path)) {
    for (int number = 0; handle_ < 0; ++number) {
        temporary_ = temporary_name(path_, number);
        const int handle = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
        if (handle < 0) {
            fail("create");
        }
        if (!is_sole_writer(handle, temporary_)) {
            ::close(handle);
        } else if (handle_ = handle; ::ftruncate(handle, 0) != 0) {
            const int problem = errno;
            ::unlink(temporary_.c_str());  // the destructor does not run if the constructor throws
            ::close(handle);
            errno = problem;
            fail("empty its temporary file");
        }
    }
}

WholeFile::~WholeFile() {
    if (handle_ >= 0) {
        ::unlink(temporary_.c_str());
        ::close(handle_);
    }
}

void WholeFile::fail(const char* what) const {
    const char* const reason = std::strerror(errno);
    throw Error(Exit::save,
                fmt::format("{}: cannot {}: {}{}", path_.string(), what, reason, removed_folder_text(path_)));
}

void WholeFile::write(std::string_view part) {
    while (!part.empty()) {
        const ssize_t written = ::write(handle_, part.data(), part.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            fail("write");
        }
        part.remove_prefix(static_cast<std::size_t>(written));
    }
}

void WholeFile::finish() {
    if (::fsync(handle_) != 0) {
        fail("flush");
    }
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
        fail("rename its temporary file");
    }
    ::close(std::exchange(handle_, -1));
    flush_folder(path_.parent_path());
}

std::filesystem::path nearest_folder(const std::filesystem::path& folder) {
    std::filesystem::path nearest = std::filesystem::absolute(folder);
    std::error_code none;
    while (!std::filesystem::is_directory(nearest, none) && nearest.has_relative_path()) {
        nearest = nearest.parent_path();
    }
    return nearest;
}

void write_file_atomically(const std::filesystem::path& path, std::span<const std::string_view> parts) {
    WholeFile file(path);
    for (const std::string_view part : parts) {
        file.write(part);
    }
    file.finish();
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
    write_file_atomically(path, std::span(&text, 1));
}

std::string removed_folder_text(const std::filesystem::path& path) {
    std::error_code problem;
    static_cast<void>(std::filesystem::current_path(problem));
    return path.is_relative() && problem == std::errc::no_such_file_or_directory
               ? "; the working folder was removed: change into another one"
               : "";
}

std::filesystem::path executable_folder() { return std::filesystem::read_symlink("/proc/self/exe").parent_path(); }

}  // namespace sluice
