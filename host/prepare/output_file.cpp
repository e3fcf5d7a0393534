#include "prepare/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/hexadecimal.hpp"

namespace sluice::prepare {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20;

auto new_sum() {
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> sum(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    EVP_DigestInit_ex(sum.get(), EVP_sha256(), nullptr);
    return sum;
}

std::string text_of(EVP_MD_CTX* sum) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    EVP_DigestFinal_ex(sum, digest.data(), &length);
    return hexadecimal(std::span(digest).first(length));
}

}  // namespace

std::filesystem::path aside(const std::filesystem::path& path) { return path.string() + ".writing"; }

OutputFile::OutputFile(std::filesystem::path path)
    : path_(std::move(path)),
      handle_(::open(aside(path_).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)),
      sum_(new_sum()) {
    if (handle_ < 0) {
        fail("create");
    }
    buffer_.reserve(kBuffer);
}

OutputFile::~OutputFile() {
    if (handle_ >= 0) {
        ::close(handle_);
        ::unlink(aside(path_).c_str());
    }
}

void OutputFile::fail(const char* what) const {
    throw Error(Exit::save, fmt::format("{}: cannot {}: {}", path_.string(), what, std::strerror(errno)));
}

void OutputFile::write(records::ByteSpan bytes) {
    written_ += bytes.size();
    if (buffer_.size() + bytes.size() > kBuffer) {
        flush();
    }
    records::append(buffer_, bytes);
}

void OutputFile::flush() {
    EVP_DigestUpdate(sum_.get(), buffer_.data(), buffer_.size());
    for (std::size_t done = 0; done < buffer_.size();) {
        const ssize_t part = ::write(handle_, buffer_.data() + done, buffer_.size() - done);
        if (part < 0 && errno != EINTR) {
            fail("write");
        }
        done += part < 0 ? 0 : static_cast<std::size_t>(part);
    }
    buffer_.clear();
}

std::string OutputFile::finish() {
    flush();
    if (::fsync(handle_) != 0) {
        fail("flush");
    }
    if (::rename(aside(path_).c_str(), path_.c_str()) != 0) {
        fail("rename the finished file to");
    }
    ::close(std::exchange(handle_, -1));
    return text_of(sum_.get());
}

std::string sha256_of_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const auto sum = new_sum();
    std::vector<char> part(kBuffer);
    while (file) {
        file.read(part.data(), static_cast<std::streamsize>(part.size()));
        EVP_DigestUpdate(sum.get(), part.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (!file.eof()) {
        throw Error(Exit::save, fmt::format("{}: cannot be read again", path.string()));
    }
    return text_of(sum.get());
}

FolderLock::FolderLock(const std::filesystem::path& folder) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    handle_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (problem || handle_ < 0) {
        throw Error(Exit::save, fmt::format("{}: cannot make this folder: {}", folder.string(),
                                            problem ? problem.message() : std::strerror(errno)));
    }
    if (::flock(handle_, LOCK_EX | LOCK_NB) != 0) {
        ::close(handle_);
        throw Error(Exit::save, fmt::format("{}: another `host prepare` writes into this folder", folder.string()));
    }
}

FolderLock::~FolderLock() { ::close(handle_); }

}  // namespace sluice::prepare
