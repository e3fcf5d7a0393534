#include "base/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

#include "base/error.hpp"
#include "base/hexadecimal.hpp"

namespace sluice {
namespace {

class FileDescriptor {
public:
    FileDescriptor(const std::filesystem::path& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {}
    ~FileDescriptor() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
    }
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    [[nodiscard]] int get() const { return fd_; }

private:
    int fd_;
};

[[noreturn]] void fail_to_save(const std::filesystem::path& path, const char* what) {
    throw Error(Exit::save, fmt::format("{}: cannot {}: {}", path.string(), what, std::strerror(errno)));
}

void write_all(int fd, std::string_view part, const std::filesystem::path& path) {
    while (!part.empty()) {
        const ssize_t written = ::write(fd, part.data(), part.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            fail_to_save(path, "write");
        }
        part.remove_prefix(static_cast<std::size_t>(written));
    }
}

// Makes the rename itself durable.
void flush_folder(const std::filesystem::path& folder) {
    const FileDescriptor fd(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
    if (fd.get() >= 0) {
        ::fsync(fd.get());
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

void write_file_atomically(const std::filesystem::path& path, std::span<const std::string_view> parts) {
    const std::filesystem::path aside = path.string() + ".writing";
    try {
        const FileDescriptor fd(aside, O_WRONLY | O_CREAT | O_TRUNC);
        if (fd.get() < 0) {
            fail_to_save(aside, "create");
        }
        for (const std::string_view part : parts) {
            write_all(fd.get(), part, aside);
        }
        if (::fsync(fd.get()) != 0) {
            fail_to_save(aside, "flush");
        }
    } catch (const Error&) {
        ::unlink(aside.c_str());
        throw;
    }
    if (::rename(aside.c_str(), path.c_str()) != 0) {
        fail_to_save(path, "rename the finished file to");
    }
    flush_folder(path.parent_path());
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
    write_file_atomically(path, std::span(&text, 1));
}

std::string sha256(std::span<const std::string_view> parts) {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr);
    for (const std::string_view part : parts) {
        EVP_DigestUpdate(context.get(), part.data(), part.size());
    }
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    EVP_DigestFinal_ex(context.get(), digest.data(), &length);
    return hexadecimal(std::span(digest).first(length));
}

std::filesystem::path executable_folder() { return std::filesystem::read_symlink("/proc/self/exe").parent_path(); }

}  // namespace sluice
