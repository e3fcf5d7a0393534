#include "file_bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "working_folder.hpp"

namespace sluice::shared_files {
namespace {

[[noreturn]] void bad(const std::filesystem::path& file, const std::string& what) {
    throw sdk::Failure(SLUICE_BAD_SAMPLE, file.string() + ": " + what);
}

std::string last_error() { return std::generic_category().message(errno); }

// Owns a file descriptor.
class OpenFile {
public:
    explicit OpenFile(const std::filesystem::path& file)
        : file_(file), handle_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
        if (handle_ < 0) {
            const std::string reason = last_error();
            bad(file_, "cannot be opened: " + reason + removed_folder_text(file_));
        }
    }
    ~OpenFile() { ::close(handle_); }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    [[nodiscard]] std::int64_t size() const {
        struct stat status = {};
        if (::fstat(handle_, &status) != 0) {
            bad(file_, "its size cannot be read: " + last_error());
        }
        return status.st_size;
    }

    void read(std::uint8_t* to, std::int64_t bytes) const {
        for (std::int64_t done = 0; done < bytes;) {
            const ssize_t got = ::read(handle_, to + done, static_cast<std::size_t>(bytes - done));
            if (got < 0 && errno == EINTR) {
                continue;
            }
            if (got < 0) {
                bad(file_, "cannot be read: " + last_error());
            }
            if (got == 0) {
                bad(file_, "became shorter while it was read");
            }
            done += got;
        }
    }

private:
    const std::filesystem::path& file_;
    int handle_;
};

}  // namespace

sluice_tensor_spec encoded_spec() { return sdk::make_spec(sdk::kUint8, {-1}); }

void read_file(const std::filesystem::path& file, std::uint32_t field, const sdk::SampleSink& sink) {
    const OpenFile open(file);
    const std::int64_t bytes = open.size();
    if (bytes == 0) {
        bad(file, "an empty file, not a picture");
    }
    open.read(sink.allocate(field, sdk::make_spec(sdk::kUint8, {bytes})), bytes);
}

}  // namespace sluice::shared_files
