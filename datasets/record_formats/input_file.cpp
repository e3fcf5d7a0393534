#include "input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "damage.hpp"
#include "file_kinds/file_kind.hpp"

namespace sluice::records {
namespace {

std::string last_error() { return std::generic_category().message(errno); }

}  // namespace

InputFile::InputFile(std::filesystem::path path, const sluice_host* host)
    : path_(std::move(path)), handle_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat status = {};
    if (handle_ < 0 || ::fstat(handle_, &status) != 0) {
        const std::string reason = last_error();
        ::close(handle_);
        damaged("cannot be opened: " + reason);
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
    if (host != nullptr) {
        map_.emplace(handle_, size_, host);
    }
}

InputFile::~InputFile() { ::close(handle_); }

std::uint64_t InputFile::read_some(std::uint8_t* to, std::uint64_t bytes, std::uint64_t offset) const {
    std::uint64_t done = 0;
    while (done < bytes) {
        const ssize_t got = ::pread(handle_, to + done, bytes - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            damaged("cannot be read at byte " + std::to_string(offset + done) + ": " + last_error());
        }
        if (got == 0) {
            break;
        }
        done += static_cast<std::uint64_t>(got);
    }
    return done;
}

void InputFile::read(std::uint8_t* to, std::uint64_t bytes, std::uint64_t offset) const {
    const std::uint64_t got = read_some(to, bytes, offset);
    if (got < bytes) {
        damaged("was cut off since it was opened: of the " + std::to_string(bytes) + " bytes from byte " +
                std::to_string(offset) + " on " + std::to_string(got) + (got == 1 ? " is there" : " are there"));
    }
}

std::string InputFile::unlike() const {
    Bytes begin(file_kinds::kBegin);
    begin.resize(static_cast<std::size_t>(read_some(begin.data(), begin.size(), 0)));
    return " but " + file_kinds::describe_file(file_kinds::text_of(begin), size_);
}

void InputFile::damaged(const std::string& what) const { throw Damage(path_.string() + ": " + what); }

}  // namespace sluice::records
