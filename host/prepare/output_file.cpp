#include "prepare/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace sluice::prepare {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20;

}  // namespace

OutputFile::OutputFile(std::filesystem::path path) : file_(std::move(path)) { buffer_.reserve(kBuffer); }

void OutputFile::write(records::ByteSpan bytes) {
    written_ += bytes.size();
    if (buffer_.size() + bytes.size() > kBuffer) {
        flush();
    }
    records::append(buffer_, bytes);
}

void OutputFile::flush() {
    sum_.add(buffer_);
    file_.write({reinterpret_cast<const char*>(buffer_.data()), buffer_.size()});
    buffer_.clear();
}

std::string OutputFile::finish() {
    flush();
    file_.finish();
    return sum_.finish();
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
