#include "base/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "base/error.hpp"

namespace sluice {
namespace {

// Makes the rename itself durable.
void flush_folder(const std::filesystem::path& folder) {
    const int handle = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle >= 0) {
        ::fsync(handle);
        ::close(handle);
    }
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file || std::filesystem::is_directory(path)) {
        const char* reason = std::filesystem::is_directory(path) ? "it is a folder" : std::strerror(errno);
        throw Error(Exit::config, fmt::format("{}: cannot read: {}", path.string(), reason));
    }
    std::string text(static_cast<std::size_t>(file.tellg()), '\0');
    file.seekg(0);
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    return text;
}

std::filesystem::path aside(const std::filesystem::path& path) { return path.string() + ".writing"; }

WholeFile::WholeFile(std::filesystem::path path)
    : path_(std::move(path)), handle_(::open(aside(path_).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
    if (handle_ < 0) {
        fail("create");
    }
}

WholeFile::~WholeFile() {
    if (handle_ >= 0) {
        ::close(handle_);
        ::unlink(aside(path_).c_str());
    }
}

void WholeFile::fail(const char* what) const {
    throw Error(Exit::save, fmt::format("{}: cannot {}: {}", path_.string(), what, std::strerror(errno)));
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
    if (::rename(aside(path_).c_str(), path_.c_str()) != 0) {
        fail("rename the finished file to");
    }
    ::close(std::exchange(handle_, -1));
    flush_folder(path_.parent_path());
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

std::filesystem::path executable_folder() { return std::filesystem::read_symlink("/proc/self/exe").parent_path(); }

}  // namespace sluice
